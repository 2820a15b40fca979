// Ops that broadcast, sort or normalize, a composite, and a function by its name.
func.func public @main() -> (tensor<2x3xui8>, tensor<2x3xi32>, tensor<2x3xf32>) {
  %a = stablehlo.constant dense<[[1, 255, 3, 4],[9,8,9,0]]> : tensor<2x4xui8>
  %v, %i = chlo.top_k(%a, k = 3) : tensor<2x4xui8> -> (tensor<2x3xui8>, tensor<2x3xi32>)
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %d = stablehlo.constant dense<[[1.0],[ 2.0]]> : tensor<2x1xf32>
  %e = chlo.broadcast_add %c, %d : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %g = "chlo.broadcast_compare"(%c, %d) {comparison_direction = #chlo<comparison_direction GT>} : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  %k = stablehlo.composite "chlo.square" %e {decomposition = @sq, version = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %bn:3 = "stablehlo.batch_norm_training"(%e, %c, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %bn#0, dense<[[0.0, 0.0, 0.0],[2.0, 4.0, 6.0]]> : tensor<2x3xf32>
  check.expect_almost_eq_const %bn#1, dense<[2.5, 3.5, 4.5]> : tensor<3xf32>
  check.expect_almost_eq_const %bn#2, dense<[0.25, 0.25, 0.25]> : tensor<3xf32>
  %er = stablehlo.custom_call @mhlo.erf(%c) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %er, dense<[0.8427, 0.9953, 0.99998]> : tensor<3xf32>
  return %v, %i, %k : tensor<2x3xui8>, tensor<2x3xi32>, tensor<2x3xf32>
}
func.func private @sq(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
