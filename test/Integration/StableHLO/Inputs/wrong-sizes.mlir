// Ops whose sizes and positions are arguments: what the specification does not allow is an error of the run.
func.func public @slice(%x: tensor<?xf32>, %s: tensor<1xi64>, %l: tensor<1xi64>, %t: tensor<1xi64>) -> tensor<?xf32> {
  %r = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func public @pad(%x: tensor<?xf32>, %l: tensor<1xi64>, %i: tensor<1xi64>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.dynamic_pad %x, %c, %l, %l, %i : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func public @broadcast(%x: tensor<?x?xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  %r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func public @stated(%x: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<5x?xf32> {
  %r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi64>) -> tensor<5x?xf32>
  return %r : tensor<5x?xf32>
}
func.func public @add(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = chlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func public @gather(%x: tensor<?x3xf32>, %s: tensor<2xi64>) -> tensor<2x?x?xf32> {
  %i = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %r = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>} : (tensor<?x3xf32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x?x?xf32>
  return %r : tensor<2x?x?xf32>
}
func.func public @groups(%x: tensor<?x3x1xf32>) -> tensor<?x2x2xf32> {
  %w = stablehlo.constant dense<1.0> : tensor<2x1x2xf32>
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64}> : (tensor<?x3x1xf32>, tensor<2x1x2xf32>) -> tensor<?x2x2xf32>
  return %r : tensor<?x2x2xf32>
}
func.func public @windows(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %y, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func public @iota(%s: tensor<1xi64>) -> tensor<?xf32> {
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func public @equal(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  check.expect_eq %x, %y : tensor<?xf32>
  return
}
