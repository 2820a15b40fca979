func.func @product(%a: tensor<70x48xf16>, %b: tensor<48x64xf16>) -> tensor<70x64xf16> {
  %0 = mica.matmul %a, %b : (tensor<70x48xf16>, tensor<48x64xf16>) -> tensor<70x64xf16>
  return %0 : tensor<70x64xf16>
}
