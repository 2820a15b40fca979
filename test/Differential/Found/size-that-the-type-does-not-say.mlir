// run {"entry": "p", "inputs": ["1024x1xi32=random:0:-8:8", "index=2"], "error": [0]}
func.func @p(%x: tensor<?x1xi32>, %at: index) -> tensor<4x32x2x?xi32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x1xi32> into tensor<?xi32>
  %1 = tensor.extract_slice %0[%at] [512] [1] : tensor<?xi32> to tensor<512xi32>
  %2 = tensor.cast %1 : tensor<512xi32> to tensor<?xi32>
  %3 = tensor.expand_shape %2 [[0, 1, 2, 3]] output_shape [4, 32, 2, 2] : tensor<?xi32> into tensor<4x32x2x?xi32>
  return %3 : tensor<4x32x2x?xi32>
}
