// A vector of which one lane is stored, of elements that were truncated on the way.
// run {"entry": "p", "inputs": ["1x3x2x1xi8=random:0:-8:8"], "error": [0.0]}
func.func @p(%a: tensor<1x3x2x1xi8>) -> (tensor<1x3x2x1xi8>) {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %a, %zero, %zero {acc_type = i32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x2x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x2x1xi8>
  return %0 : tensor<1x3x2x1xi8>
}
