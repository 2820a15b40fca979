// run {"entry": "p", "inputs": ["2x2x2x2xf32=whole:1:-8:9"], "error": [0.0]}
func.func @p(%x: tensor<2x2x2x2xf32>) -> tensor<?x2x1x2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = mica.slice %x offsets = [%zero, 0, 0, 0] sizes = [%one, 2, 1, 2] strides = [1, 1, 1, 1] : (tensor<2x2x2x2xf32>, index, index) -> tensor<?x2x1x2xf32>
  return %0 : tensor<?x2x1x2xf32>
}
// run {"entry": "q", "inputs": ["2x2x2x2xf32=whole:1:-8:9"], "error": [0.0]}
func.func @q(%x: tensor<2x2x2x2xf32>) -> tensor<?x2x2xf32> {
  %one = arith.constant 1 : index
  %0 = tensor.extract_slice %x[0, 0, 1, 0] [%one, 2, 1, 2] [1, 1, 1, 1] : tensor<2x2x2x2xf32> to tensor<?x2x2xf32>
  return %0 : tensor<?x2x2xf32>
}
