// Conversions to both 16-bit floats, and a function that LLVM would like to make one of bf16.
func.func @main(%x: tensor<40xf32>) -> (tensor<40xbf16>, tensor<40xf16>) {
  %0 = mica.cast %x : tensor<40xf32> to tensor<40xbf16>
  %1 = mica.floor %0 : tensor<40xbf16>
  %2 = mica.add %0, %1 : tensor<40xbf16>
  %3 = mica.cast %x : tensor<40xf32> to tensor<40xf16>
  %4 = mica.mul %3, %3 : tensor<40xf16>
  return %2, %4 : tensor<40xbf16>, tensor<40xf16>
}
