// run {"entry": "p", "inputs": ["2x2x17xf32=whole:260:-8:9", "1x1x17xf32=whole:119:-8:9"], "error": [0.0]}
func.func @p(%a0: tensor<?x?x17xf32>, %a1: tensor<1x1x17xf32>) -> (tensor<?x?x17xf32>) {
  %v11 = mica.transpose %a0 permutation = [0, 2, 1] : (tensor<?x?x17xf32>) -> tensor<?x17x?xf32>
  %v12 = mica.transpose %a1 permutation = [0, 2, 1] : (tensor<1x1x17xf32>) -> tensor<1x17x1xf32>
  %v16 = mica.reduce sum %v12 dims = [0, 2] keep_dims : tensor<1x17x1xf32>
  %v17 = mica.mul %v11, %v16 : (tensor<?x17x?xf32>, tensor<1x17x1xf32>) -> tensor<?x17x?xf32>
  %v18 = mica.transpose %v17 permutation = [0, 2, 1] : (tensor<?x17x?xf32>) -> tensor<?x?x17xf32>
  return %v18 : tensor<?x?x17xf32>
}
