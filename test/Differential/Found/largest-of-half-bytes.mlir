// run {"entry": "p", "inputs": ["2x70xi4=random:0:-8:8"], "error": [0.0]}
func.func @p(%a1: tensor<2x?xi4>) -> (tensor<2xi4>) {
  %v2 = mica.reduce max %a1 dims = [1] : (tensor<2x?xi4>) -> tensor<2xi4>
  return %v2 : tensor<2xi4>
}
