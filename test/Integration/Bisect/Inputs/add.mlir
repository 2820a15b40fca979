func.func @main() {
  %a = arith.constant 1.5 : f32
  %b = arith.constant 2.5 : f32
  %unused = arith.mulf %a, %b : f32
  %sum = arith.addf %a, %b : f32
  vector.print %sum : f32
  return
}
