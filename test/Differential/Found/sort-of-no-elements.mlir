// run {"entry": "p", "inputs": ["5x16x32xi4=random:125:-8:8", "0x33xi4=random:659:-8:8"], "error": [0.0, 0.0]}
func.func @p(%a1: tensor<5x?x?xi4>, %a2: tensor<?x33xi4>) -> (tensor<1x8x?xi64>, tensor<?x33xi4>) {
  %v1 = arith.constant 0 : index
  %v2 = mica.slice %a1 offsets = [2, 0, 11] sizes = [1, 8, %v1] strides = [1, 1, 1] : (tensor<5x?x?xi4>, index) -> tensor<1x8x?xi4>
  %v5:2 = mica.sort %v2 axis = 2 descending : (tensor<1x8x?xi4>) -> (tensor<1x8x?xi4>, tensor<1x8x?xi64>)
  %v10 = arith.constant 0 : index
  %v11 = tensor.empty(%v10) : tensor<1x8x?xi64>
  %v9 = linalg.min ins(%v5#1, %v5#1 : tensor<1x8x?xi64>, tensor<1x8x?xi64>) outs(%v11 : tensor<1x8x?xi64>) -> tensor<1x8x?xi64>
  %v16 = arith.minui %v9, %v9 : tensor<1x8x?xi64>
  return %v16, %a2 : tensor<1x8x?xi64>, tensor<?x33xi4>
}
