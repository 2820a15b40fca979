func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = mica.add %a, %b : tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
