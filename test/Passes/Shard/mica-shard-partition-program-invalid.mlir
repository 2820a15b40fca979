// RUN: mica-opt %s --split-input-file --mica-shard-partition-program --verify-diagnostics

shard.grid @grid(shape = 4)
func.func @unequal(%x: tensor<6xf32>) -> tensor<6xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @below {{splits dimension 0 of 'tensor<6xf32>' among 4 ranks, which do not divide 6}}
  %0 = shard.shard %x to %s annotate_for_users : tensor<6xf32>
  %1 = math.exp %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @below {{splits dimension 0 of 'tensor<?xf32>' among 4 ranks, but its size is not known}}
  %0 = shard.shard %x to %s annotate_for_users : tensor<?xf32>
  %1 = math.exp %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @halos(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  // expected-error @below {{a sharding with halos has no code}}
  %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = ?)
func.func @unknown_grid(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error @below {{the sizes of grid 'grid' have to be known when the program is compiled, and positive}}
  %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

shard.grid @one(shape = 4)
shard.grid @other(shape = 2)
func.func @two_grids(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @one split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @other split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  // expected-error @below {{uses the grid 'other', and other tensors the grid 'one'; a program has one grid}}
  %1 = shard.shard %y to %t annotate_for_users : tensor<8xf32>
  %2 = arith.addf %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @reversed(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  %c0 = arith.constant 0 : index
  // expected-error @below {{'tensor.generate' cannot be split among ranks, and it is in a function with shardings; write it as a linalg.generic}}
  %1 = tensor.generate {
  ^bb0(%i: index):
    %2 = tensor.extract %0[%i] : tensor<8xf32>
    tensor.yield %2 : f32
  } : tensor<8xf32>
  %3 = shard.shard %1 to %s : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @sizes(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %0 = shard.shard %x to %s annotate_for_users : tensor<?x8xf32>
  // expected-error @below {{the sizes of 'tensor<?x8xf32>' are not all known, and a function with shardings needs them; give them sizes}}
  %1 = mica.relu %0 : tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}
