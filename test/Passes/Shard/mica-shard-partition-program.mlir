// RUN: mica-opt %s --split-input-file --mica-shard-partition-program | FileCheck %s

// The contracted dimension is split: each rank has a partial sum, and an all_reduce adds them. No rank begins with another value than
// zero, so there is no branch on the rank's number.

// CHECK-LABEL: func.func @contracted
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x4xf32> {mica_sched.sharding = {axes = [array<i64>, array<i64: 0>], grid = array<i64: 4>, shape = array<i64: 8, 16>}}
// CHECK-SAME: tensor<4x6xf32> {mica_sched.sharding = {axes = [array<i64: 0>, array<i64>], grid = array<i64: 4>, shape = array<i64: 16, 6>}}
// CHECK-SAME: -> (tensor<8x6xf32> {mica_sched.sharding = {axes = [array<i64>, array<i64>], grid = array<i64: 4>, shape = array<i64: 8, 6>}})
// CHECK-NOT: scf.if
// CHECK: %[[PART:.*]] = linalg.{{.*}} ins(%[[X]]
// CHECK-NOT: scf.if
// CHECK: %[[SUM:.*]] = shard.all_reduce %[[PART]] on @grid grid_axes = [0] : tensor<8x6xf32> -> tensor<8x6xf32>
// CHECK: return %[[SUM]]
shard.grid @grid(shape = 4)
func.func @contracted(%x: tensor<8x16xf32>, %y: tensor<16x6xf32>) -> tensor<8x6xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %0 = shard.shard %x to %s annotate_for_users : tensor<8x16xf32>
  %1 = mica.matmul %0, %y : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

// A function without annotations stays whole.

// CHECK-LABEL: func.func @whole(%{{.*}}: tensor<8xf32>) -> tensor<8xf32>
shard.grid @grid(shape = 2x2)
func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @columns(%{{.*}}: tensor<4xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf32>)
// CHECK: math.exp
func.func @columns(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
