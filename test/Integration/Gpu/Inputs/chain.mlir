func.func @main(%a: tensor<5x64xf32>) -> tensor<5x64xf32> {
  %0 = mica.exp %a : tensor<5x64xf32>
  %1 = mica.softmax %0 axis = 1 : tensor<5x64xf32>
  return %1 : tensor<5x64xf32>
}
