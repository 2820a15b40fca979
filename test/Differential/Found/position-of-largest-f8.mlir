// run {"entry": "p", "inputs": ["32xf8E4M3FN=random:217:0.25:3"], "error": [0.0]}
func.func @p(%a0: tensor<32xf8E4M3FN>) -> (tensor<i64>) {
  %v3 = mica.argmax %a0 axis = 0 : (tensor<32xf8E4M3FN>) -> tensor<i64>
  return %v3 : tensor<i64>
}
