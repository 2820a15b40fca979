// run {"entry": "p", "inputs": ["2x31x33x2xi4=random:210:-8:8", "index=5"], "error": [0.0]}
func.func @p(%a0: tensor<?x?x?x?xi4>, %a1: index) -> (tensor<3x?x35x?xi4>) {
  %v1 = mica.slice %a0 offsets = [0, 27, 0, 1] sizes = [1, 1, 33, 1] strides = [3, 1, 1, 1] : (tensor<?x?x?x?xi4>) -> tensor<1x1x33x1xi4>
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 1 : index
  %v6 = mica.slice %v1 offsets = [0, %a1, 0, 0] sizes = [1, %v4, 33, %v5] strides = [3, 1, 1, 1] : (tensor<1x1x33x1xi4>, index, index, index) -> tensor<1x?x33x?xi4>
  %v9 = mica.pad %v6 low = [0, 2, 2, 1] high = [2, 2, 0, 1] mode = edge : (tensor<1x?x33x?xi4>) -> tensor<3x?x35x?xi4>
  return %v9 : tensor<3x?x35x?xi4>
}
