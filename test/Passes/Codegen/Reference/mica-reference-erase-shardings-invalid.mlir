// RUN: mica-opt %s --mica-reference-erase-shardings --verify-diagnostics

shard.grid @grid(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{the program is written for each rank, by 'shard.all_reduce': there is no program of a single one to compare it with}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
