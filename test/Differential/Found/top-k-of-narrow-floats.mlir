// run {"entry": "p", "inputs": ["67x4x3x5xf8E4M3FN=random:11:-9:9"], "error": [0, 0]}
func.func @p(%x: tensor<67x4x?x5xf8E4M3FN>) -> (tensor<67x4x?x5xf8E4M3FN>, tensor<67x4x?x5xi64>) {
  %v, %i = mica.top_k %x k = 4 axis = 1 : (tensor<67x4x?x5xf8E4M3FN>) -> (tensor<67x4x?x5xf8E4M3FN>, tensor<67x4x?x5xi64>)
  return %v, %i : tensor<67x4x?x5xf8E4M3FN>, tensor<67x4x?x5xi64>
}
