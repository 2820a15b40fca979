func.func @main(%a: tensor<5x64xf64>) -> tensor<5x64xf64> {
  %0 = mica.exp %a : tensor<5x64xf64>
  return %0 : tensor<5x64xf64>
}
