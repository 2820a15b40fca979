func.func @main(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %0 = mica.matmul %a, %b : tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
