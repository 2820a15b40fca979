func.func private @printF32(f32)
func.func @main() {
  %c = arith.constant 1.0 : f32
  call @printF32(%c) : (f32) -> ()
  return
}
