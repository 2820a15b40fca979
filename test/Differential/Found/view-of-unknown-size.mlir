// A value of static size between two kernels, the second of which takes it as one of dynamic size.
// run {"entry": "p", "inputs": ["1xi64=random:1:-8:8"], "error": [0]}
func.func @p(%a: tensor<1xi64>) -> tensor<?xi64> {
  %c = arith.constant 0 : i64
  %0 = mica.mul %a, %a : (tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  %1 = tensor.pad %0 low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : i64
  } : tensor<?xi64> to tensor<?xi64>
  return %1 : tensor<?xi64>
}
