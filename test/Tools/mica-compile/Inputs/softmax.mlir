func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = mica.softmax %x axis = 1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
