// Products whose tiles lie in workgroup memory in every way that tensor cores take: with inputs as [m][k] and [k][n], and the other way round.
func.func @tf32(%a: tensor<256x64xf32>, %b: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %r = mica.matmul %a, %b : (tensor<256x64xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
func.func @turned(%a: tensor<64x256xf32>, %b: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %r = mica.matmul %a, %b transpose_a : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
func.func @small(%a: tensor<64x64xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = mica.matmul %a, %b : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
func.func @f64(%a: tensor<256x64xf64>, %b: tensor<64x256xf64>) -> tensor<256x256xf64> {
  %r = mica.matmul %a, %b : (tensor<256x64xf64>, tensor<64x256xf64>) -> tensor<256x256xf64>
  return %r : tensor<256x256xf64>
}
func.func @i8(%a: tensor<256x64xi8>, %b: tensor<64x256xi8>) -> tensor<256x256xi32> {
  %e = tensor.empty() : tensor<256x256xi32>
  %c0 = arith.constant 0 : i32
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<256x256xi32>) -> tensor<256x256xi32>
  %r = linalg.matmul ins(%a, %b : tensor<256x64xi8>, tensor<64x256xi8>) outs(%f : tensor<256x256xi32>) -> tensor<256x256xi32>
  return %r : tensor<256x256xi32>
}
func.func @f16(%a: tensor<256x64xf16>, %b: tensor<64x256xf16>) -> tensor<256x256xf16> {
  %r = mica.matmul %a, %b : (tensor<256x64xf16>, tensor<64x256xf16>) -> tensor<256x256xf16>
  return %r : tensor<256x256xf16>
}
func.func @f64_turned(%a: tensor<64x256xf64>, %b: tensor<256x64xf64>) -> tensor<256x256xf64> {
  %r = mica.matmul %a, %b transpose_a transpose_b : (tensor<64x256xf64>, tensor<256x64xf64>) -> tensor<256x256xf64>
  return %r : tensor<256x256xf64>
}
