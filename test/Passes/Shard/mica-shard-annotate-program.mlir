// Values of the command line get shardings; in a function with collectives they are parts already.
// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-shard-annotate-program{grid=2,3 shardings=whole:argument0=0:-,whole:result0=-:0+1,parts:argument0=-:1})' | FileCheck %s

shard.grid @ranks(shape = 2x3)

// CHECK: shard.grid @ranks(shape = 2x3)
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: %[[ROWS:.*]] = shard.sharding @ranks split_axes = {{\[\[0\], \[\]\]}}
// CHECK-NEXT: %[[PART:.*]] = shard.shard %arg0 to %[[ROWS]] annotate_for_users
// CHECK-NEXT: %[[RELU:.*]] = mica.relu %[[PART]]
// CHECK-NEXT: %[[COLUMNS:.*]] = shard.sharding @ranks split_axes = {{\[\[\], \[0, 1\]\]}}
// CHECK-NEXT: %[[RESULT:.*]] = shard.shard %[[RELU]] to %[[COLUMNS]] annotate_for_users
// CHECK-NEXT: return %[[RESULT]]
func.func @whole(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = mica.relu %x : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @parts
// CHECK-SAME: mica_sched.sharding = {axes = [array<i64>, array<i64: 1>], grid = array<i64: 2, 3>, shape = array<i64: 4, 6>}
// CHECK-NOT: shard.shard
func.func @parts(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<4x2xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
