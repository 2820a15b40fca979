// The fold makes an unpack that does not verify.
// VERDICT: crash canonicalize
// PIPELINE: --canonicalize
func.func @f(%src: tensor<30x2x16xf32>, %dest: tensor<30x32xf32>) -> tensor<28x32xf32> {
  %unpack = linalg.unpack %src inner_dims_pos = [1] inner_tiles = [16] into %dest : tensor<30x2x16xf32> -> tensor<30x32xf32>
  %s = tensor.extract_slice %unpack[0, 0] [28, 32] [1, 1] : tensor<30x32xf32> to tensor<28x32xf32>
  return %s : tensor<28x32xf32>
}
