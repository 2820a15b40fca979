// As frameworks export a function of any number of rows: a condition on the size, and shapes computed from it.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<?x3xf32>, %w: tensor<3x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>, tensor<?xi32>) {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %least = stablehlo.constant dense<2> : tensor<i32>
    %ok = stablehlo.compare GE, %n, %least, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "expected two rows or more", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %two = stablehlo.constant dense<2> : tensor<1xi32>
    %shape = stablehlo.concatenate %n1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %1, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x2xf32>
    %3 = stablehlo.subtract %0, %2 : tensor<?x2xf32>
    %double = stablehlo.multiply %n1, %two : tensor<1xi32>
    %4 = stablehlo.dynamic_reshape %3, %double : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
    %5 = stablehlo.dynamic_iota %double, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    return %3, %4, %5 : tensor<?x2xf32>, tensor<?xf32>, tensor<?xi32>
  }
}
