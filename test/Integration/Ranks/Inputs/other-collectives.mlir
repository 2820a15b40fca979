// Groups of different sizes, a reduction by another computation, and pairs that are no shift.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [3, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %10 = stablehlo.subtract %l, %r : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0, %1, %2 : tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
