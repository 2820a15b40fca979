func.func @quotient(%a: tensor<3x700xf32>, %b: tensor<3x700xf32>) -> tensor<3x700xf32> {
  %0 = mica.div %a, %b : tensor<3x700xf32>
  return %0 : tensor<3x700xf32>
}
func.func @logarithm(%a: tensor<600xf16>) -> tensor<600xf16> {
  %0 = mica.log %a : tensor<600xf16>
  return %0 : tensor<600xf16>
}
func.func @rows(%a: tensor<5x300xf32>, %m: tensor<5x300xf32>) -> tensor<5x300xf32> {
  %0 = mica.add %a, %m : tensor<5x300xf32>
  %1 = mica.softmax %0 axis = 1 : tensor<5x300xf32>
  return %1 : tensor<5x300xf32>
}
