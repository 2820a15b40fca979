func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = mica.softmax %x axis = 1 : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
