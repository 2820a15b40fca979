// run {"entry": "p", "inputs": ["2xf32=random:0:-1:1"], "error": [2.384185791015625e-07]}
func.func @p(%a0: tensor<2xf32>) -> (tensor<2xf32>) {
  %v1 = func.call @p_f0(%a0) : (tensor<2xf32>) -> (tensor<2xf32>)
  return %v1 : tensor<2xf32>
}
func.func @p_f0(%a0: tensor<2xf32>) -> (tensor<2xf32>) {
  %v1 = mica.add %a0, %a0 : tensor<2xf32>
  return %v1 : tensor<2xf32>
}
