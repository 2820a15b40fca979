// A reshape whose sizes are known where its type says they are not.
// run {"entry": "p", "inputs": ["2xi1=random:0:0:2"], "error": [0.0]}
func.func @p(%a0: tensor<?xi1>) -> (tensor<?x2x2xi1>) {
  %v1 = mica.tile %a0 multiples = [2] : tensor<?xi1>
  %v2 = arith.constant 1 : index
  %v3 = tensor.expand_shape %v1 [[0, 1]] output_shape [%v2, 4] : tensor<?xi1> into tensor<?x4xi1>
  %v4 = arith.constant 0 : index
  %v5 = tensor.dim %v3, %v4 : tensor<?x4xi1>
  %v6 = tensor.expand_shape %v3 [[0], [1, 2, 3]] output_shape [%v5, 1, 2, 2] : tensor<?x4xi1> into tensor<?x1x2x2xi1>
  %v7 = tensor.collapse_shape %v6 [[0, 1], [2], [3]] : tensor<?x1x2x2xi1> into tensor<?x2x2xi1>
  return %v7 : tensor<?x2x2xi1>
}
