shard.grid @ranks(shape = 4)

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %rows = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %part = shard.shard %x to %rows annotate_for_users : tensor<?x4xf32>
  %0 = mica.relu %part : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
