// LLVM computes the positions of rows by reversing 3 bits.
func.func @pack(%a: tensor<4x4xi32>) -> tensor<2x2x2x2xi32> {
  %e = tensor.empty() : tensor<2x2x2x2xi32>
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<4x4xi32> -> tensor<2x2x2x2xi32>
  return %0 : tensor<2x2x2x2xi32>
}
