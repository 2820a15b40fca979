func.func @main(%x: tensor<64x512xf32>, %w: tensor<512x64xf32>) -> tensor<64x64xf32> {
  %0 = mica.softmax %x axis = 1 : tensor<64x512xf32>
  %1 = mica.matmul %0, %w : (tensor<64x512xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
