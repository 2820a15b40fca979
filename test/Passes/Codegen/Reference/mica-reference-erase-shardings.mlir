// RUN: mica-opt %s --mica-reference-erase-shardings | FileCheck %s

// Without annotations the program is that of a single process.

// CHECK-NOT: shard
// CHECK-LABEL: func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[R:.*]] = math.exp %arg0 : tensor<8xf32>
// CHECK-NEXT: return %[[R]]
shard.grid @grid(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = shard.shard %1 to %s : tensor<8xf32>
  return %2 : tensor<8xf32>
}
