// Sizes are computed from a constant that main gives to a function of any size.
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main() -> tensor<3x4xf32> {
    %0 = stablehlo.constant dense<3> : tensor<i64>
    %1 = call @inputs() : () -> tensor<3x4xf32>
    %2 = stablehlo.convert %1 : (tensor<3x4xf32>) -> tensor<?x4xf32>
    %3 = call @f(%0, %2) : (tensor<i64>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %4 = stablehlo.convert %3 : (tensor<?x4xf32>) -> tensor<3x4xf32>
    %e = call @expected() : () -> tensor<3x4xf32>
    stablehlo.custom_call @check.expect_close(%4, %e) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    return %4 : tensor<3x4xf32>
  }
  func.func private @inputs() -> tensor<3x4xf32> {
    %0 = stablehlo.constant dense<2.0> : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @expected() -> tensor<3x4xf32> {
    %0 = stablehlo.constant dense<[[3.0,3.,3.,3.],[4.,4.,4.,4.],[5.,5.,5.,5.]]> : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @f(%n: tensor<i64>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %0 = stablehlo.convert %n : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %ge = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ng = stablehlo.not %ge : tensor<i1>
    stablehlo.custom_call @shape_assertion(%ng, %n) {error_message = "n < 4", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x4xf32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %b = stablehlo.dynamic_broadcast_in_dim %one, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %y = stablehlo.add %x, %i : tensor<?x4xf32>
    %z = stablehlo.add %y, %b : tensor<?x4xf32>
    return %z : tensor<?x4xf32>
  }
}
