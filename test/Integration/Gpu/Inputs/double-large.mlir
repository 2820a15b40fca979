func.func @main(%a: tensor<512x512xf64>) -> tensor<512x512xf64> {
  %0 = mica.exp %a : tensor<512x512xf64>
  return %0 : tensor<512x512xf64>
}
