// RUN: not mica-opt %s --pass-pipeline='builtin.module(mica-shard-annotate-program{grid=2,3 shardings=parts:argument0=-:2})' 2>&1 | FileCheck %s
// RUN: not mica-opt %s --pass-pipeline='builtin.module(mica-shard-annotate-program{grid=2,3 shardings=parts:argument1=-:1})' 2>&1 | FileCheck %s --check-prefix=VALUE

// An axis that the grid does not have, and a value that the function does not have.
// CHECK: error: --shard: 'parts:argument0=-:2' names axis 2 of a grid of 2x3 ranks
// VALUE: error: --shard: 'parts:argument1=-:1' is no value of a function of one block
shard.grid @ranks(shape = 2x3)
func.func @parts(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<4x2xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
