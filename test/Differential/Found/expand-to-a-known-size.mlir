// run {"entry": "p", "inputs": ["8x16x32x1xi64=random:255:-128:128"], "error": [0.0, 0.0]}
func.func @p(%a1: tensor<8x16x32x1xi64>) -> (tensor<8x16x1x1xi64>, tensor<?x16x32x1xi64>) {
  %v1 = mica.min %a1, %a1 : tensor<8x16x32x1xi64>
  %v2 = mica.abs %a1 : tensor<8x16x32x1xi64>
  %v3 = mica.reduce prod %v1 dims = [2, 3] keep_dims : (tensor<8x16x32x1xi64>) -> tensor<8x16x1x1xi64>
  %v4 = mica.sub %a1, %v2 : (tensor<8x16x32x1xi64>, tensor<8x16x32x1xi64>) -> tensor<?x16x32x1xi64>
  %v7:2 = mica.sort %v4 axis = 3 descending : (tensor<?x16x32x1xi64>) -> (tensor<?x16x32x1xi64>, tensor<?x16x32x1xi64>)
  %v11 = arith.constant 0 : index
  %v12 = arith.constant 0 : index
  %v13 = arith.constant 1 : index
  %v10 = scf.for %v14 = %v11 to %v12 step %v13 iter_args(%v8 = %v3) -> (tensor<8x16x1x1xi64>) {
    scf.yield %v3 : tensor<8x16x1x1xi64>
  }
  return %v10, %v7#0 : tensor<8x16x1x1xi64>, tensor<?x16x32x1xi64>
}
