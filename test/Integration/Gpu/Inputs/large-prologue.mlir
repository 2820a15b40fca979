// Weights of 8 bits with a scale per output.
func.func @main(%x: tensor<2048x2048xf16>, %q: tensor<2048x2048xi8>, %s: tensor<1x2048xf16>) -> tensor<2048x2048xf16> {
  %0 = mica.cast %q : tensor<2048x2048xi8> to tensor<2048x2048xf16>
  %1 = mica.mul %0, %s : (tensor<2048x2048xf16>, tensor<1x2048xf16>) -> tensor<2048x2048xf16>
  %2 = mica.matmul %x, %1 : tensor<2048x2048xf16>
  return %2 : tensor<2048x2048xf16>
}
