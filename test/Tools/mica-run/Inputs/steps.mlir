func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = mica.sub %a, %b : tensor<32x32xf32>
  %1 = mica.matmul %0, %w : tensor<32x32xf32>
  %2 = mica.add %1, %b : tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}
