func.func @f(%x: f32) -> f32 {
  return %x : f32
}
func.func @g() -> i32 {
  %x = arith.constant 5 : i32
  %y = arith.constant 5 : i32
  %0 = arith.addi %x, %y : i32
  return %0 : i32
}
