shard.grid @ranks(shape = 4)

func.func @main(%x: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [8.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
                             [7.0, 8.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [6.0, 7.0, 8.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<4x8xf32>
  %bias = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]> : tensor<2x8xf32>
  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %part = shard.shard %w to %columns annotate_for_users : tensor<4x8xf32>
  %0 = mica.matmul %x, %part : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = mica.add %0, %bias : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}
