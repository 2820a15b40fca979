// Results of functions through arguments.
// VERDICT: same
// PIPELINE: builtin.module(one-shot-bufferize{bufferize-function-boundaries},buffer-results-to-out-params,drop-equivalent-buffer-results)
// FLAGS: --entry=f
func.func private @g(%t: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.add ins(%t, %t : tensor<4xi32>, tensor<4xi32>) outs(%t : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %r = call @g(%t) : (tensor<4xi32>) -> tensor<4xi32>
  %s = linalg.mul ins(%r, %t : tensor<4xi32>, tensor<4xi32>) outs(%t : tensor<4xi32>) -> tensor<4xi32>
  return %s : tensor<4xi32>
}
