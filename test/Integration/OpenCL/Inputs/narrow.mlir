func.func @halves(%a: tensor<7x33xf16>, %b: tensor<7x33xf16>) -> tensor<7x33xf16> {
  %0 = mica.mul %a, %b : tensor<7x33xf16>
  %1 = mica.exp %0 : tensor<7x33xf16>
  return %1 : tensor<7x33xf16>
}
func.func @brains(%a: tensor<9x20xbf16>, %b: tensor<20x5xbf16>) -> tensor<9x5xbf16> {
  %0 = mica.matmul %a, %b : (tensor<9x20xbf16>, tensor<20x5xbf16>) -> tensor<9x5xbf16>
  return %0 : tensor<9x5xbf16>
}
func.func @doubles(%a: tensor<64xf64>) -> tensor<64xf64> {
  %0 = mica.mul %a, %a : tensor<64xf64>
  return %0 : tensor<64xf64>
}
