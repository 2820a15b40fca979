// Vectors times matrices of 8 bits, made f16 on the way: rows side by side in memory, columns side by side, one matrix read by two products.
func.func @main(%x: tensor<1x512xf16>, %q: tensor<384x512xi8>, %s: tensor<384x1xf16>, %q2: tensor<512x384xi8>, %y: tensor<?x512xf16>) -> (tensor<1x384xf16>, tensor<1x384xf16>, tensor<?x384xf16>) {
  %0 = mica.cast %q : tensor<384x512xi8> to tensor<384x512xf16>
  %1 = mica.mul %0, %s : (tensor<384x512xf16>, tensor<384x1xf16>) -> tensor<384x512xf16>
  %2 = mica.transpose %1 permutation = [1, 0] : (tensor<384x512xf16>) -> tensor<512x384xf16>
  %3 = mica.matmul %x, %2 : (tensor<1x512xf16>, tensor<512x384xf16>) -> tensor<1x384xf16>
  %4 = mica.cast %q2 : tensor<512x384xi8> to tensor<512x384xf16>
  %5 = mica.matmul %x, %4 : (tensor<1x512xf16>, tensor<512x384xf16>) -> tensor<1x384xf16>
  %6 = mica.cast %q2 : tensor<512x384xi8> to tensor<512x384xf16>
  %7 = mica.matmul %y, %6 : (tensor<?x512xf16>, tensor<512x384xf16>) -> tensor<?x384xf16>
  return %3, %5, %7 : tensor<1x384xf16>, tensor<1x384xf16>, tensor<?x384xf16>
}
