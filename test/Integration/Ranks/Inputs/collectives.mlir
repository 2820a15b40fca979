// Written for each of four processes, as jax.pmap exports: groups are along an axis of a grid of 2 x 2.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%x: tensor<4x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>, tensor<2x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %10 = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
    %3 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0, %1, %2, %3, %4 : tensor<8x4xf32>, tensor<2x4xf32>, tensor<2x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
}
