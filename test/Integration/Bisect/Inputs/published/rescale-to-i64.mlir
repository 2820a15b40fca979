// The lowering computes in i32, and the result is of i64.
// VERDICT: crash tosa-to-linalg
// PIPELINE: builtin.module(func.func(tosa-to-linalg))
// FLAGS: --entry=f
func.func @f(%m: tensor<1xi32>, %s: tensor<1xi8>) -> tensor<1x2x2x3xi64> {
  %0 = "tosa.const"() <{values = dense<1> : tensor<1x2x2x3xi64>}> : () -> tensor<1x2x2x3xi64>
  %1 = "tosa.const"() <{values = dense<0> : tensor<1xi64>}> : () -> tensor<1xi64>
  %3 = tosa.rescale %0, %m, %s, %1, %1 {input_unsigned = true, output_unsigned = true, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x2x2x3xi64>, tensor<1xi32>, tensor<1xi8>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x2x3xi64>
  return %3 : tensor<1x2x2x3xi64>
}
