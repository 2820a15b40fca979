shard.grid @grid(shape = 3)

func.func @main(%x: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<3x6xf32> -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
