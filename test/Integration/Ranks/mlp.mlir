// A tensor-parallel MLP: the columns of the first weight and the rows of the second are split among four ranks, so each
// has a partial sum of the result, and one all_reduce adds them. Equal to the program that is not partitioned, for
// inputs of each kind.
// RUN: rm -rf %t && mica-compile %s -o %t
// RUN: mica-run %t --ranks=threads --check-reference | FileCheck %s
// RUN: FileCheck %s --check-prefix=TASKS --input-file=%t/host/tasks.json
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t/manifest.json

// CHECK: reference: result 0 (6x16xf32): within tolerance
// CHECK: reference, adversarial inputs: result 0 (6x16xf32): within tolerance

// One rank has a quarter of each weight, and the sum is a task after the product.
// TASKS: "kernel": "all_reduce_6x16xf32"
// MANIFEST: "shape": [16, 32]
// MANIFEST: "sharding": {"grid": [4], "axes": {{\[\[\], \[0\]\]}}}
// MANIFEST: "root_kind": "all_reduce"
// MANIFEST: "collective": {"kind": "all_reduce", "grid": [4], "axes": [0], "reduction": "sum"}

shard.grid @ranks(shape = 4)

func.func @main(%x: tensor<6x16xf32>, %up: tensor<16x32xf32>, %down: tensor<32x16xf32>) -> tensor<6x16xf32> {
  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @ranks split_axes = [[0], []] : !shard.sharding
  %up_part = shard.shard %up to %columns annotate_for_users : tensor<16x32xf32>
  %down_part = shard.shard %down to %rows annotate_for_users : tensor<32x16xf32>
  %0 = mica.matmul %x, %up_part : (tensor<6x16xf32>, tensor<16x32xf32>) -> tensor<6x32xf32>
  %1 = mica.relu %0 : tensor<6x32xf32>
  %2 = mica.matmul %1, %down_part : (tensor<6x32xf32>, tensor<32x16xf32>) -> tensor<6x16xf32>
  return %2 : tensor<6x16xf32>
}
