// RUN: mica-opt %s --split-input-file --convert-shard-to-mica-sched --verify-diagnostics

shard.grid @grid(shape = 4)
func.func @computed_root(%x: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  // expected-error @below {{'root' is computed at run time; it has to be constant}}
  %0 = shard.broadcast %x on @grid grid_axes = [0] root = [%i] : (tensor<8xf32>, index) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @converts(%x: tensor<8xf32>) -> tensor<8xf64> {
  // expected-error @below {{converts elements of 'tensor<8xf32>' to those of 'tensor<8xf64>'; convert them before the exchange}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<8xf32> -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

shard.grid @grid(shape = 4)
func.func @generic(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{the reduction 'generic' does not say how elements are combined}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = generic : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @from_anybody(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{no 'source' is named; a rank has to know from which it receives}}
  %0 = shard.recv %x on @grid grid_axes = [0] : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2x2)
func.func @halo(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{halos have to have sizes that are known when the program is compiled}}
  %0 = shard.update_halo %x on @grid split_axes = [[0, 1]] halo_sizes = [1, 1] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @narrow(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{at most the rank's own rows}}
  %0 = shard.update_halo %x on @grid split_axes = [[0]] halo_sizes = [2, 1] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
