// A data-parallel batch: each of two ranks has half of the rows and whole weights, and nothing is exchanged.
// RUN: rm -rf %t && mica-compile %s -o %t
// RUN: mica-run %t --ranks=threads --check-reference | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t/manifest.json

// CHECK: reference: result 0 (8x5xf32): within tolerance

// MANIFEST: "shape": [8, 16]
// MANIFEST: "sharding": {"grid": [2], "axes": {{\[\[0\], \[\]\]}}}
// MANIFEST-NOT: "collective"

shard.grid @ranks(shape = 2)

func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x5xf32>) -> tensor<8x5xf32> {
  %rows = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %batch = shard.shard %x to %rows annotate_for_users : tensor<8x16xf32>
  %0 = mica.matmul %batch, %w : (tensor<8x16xf32>, tensor<16x5xf32>) -> tensor<8x5xf32>
  %1 = mica.gelu %0 : tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}
