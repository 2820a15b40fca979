func.func @main(%a: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = mica.sub %a, %w : tensor<32x32xf32>
  %1 = mica.matmul %0, %w : tensor<32x32xf32>
  %2 = mica.matmul %1, %0 : tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}
