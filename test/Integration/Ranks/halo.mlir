// A convolution whose rows are split among two ranks: each takes the row before its first and after its last from its
// neighbours. The same as on one rank.
// RUN: rm -rf %t && mkdir %t && mica-compile %s -o %t/two && mica-compile %S/Inputs/convolution.mlir -o %t/one
// RUN: mica-run %t/two --ranks=threads --input=random:7:-8:8 > %t/two.txt
// RUN: mica-run %t/one --input=random:7:-8:8 > %t/one.txt
// RUN: diff %t/one.txt %t/two.txt
// RUN: FileCheck %s --input-file=%t/two.txt

// CHECK: result 0: 8x4xf32

shard.grid @ranks(shape = 2)

#rows = {grid = array<i64: 2>, shape = array<i64: 8, 6>, axes = [array<i64: 0>, array<i64>]}
#out = {grid = array<i64: 2>, shape = array<i64: 8, 4>, axes = [array<i64: 0>, array<i64>]}

func.func @main(%x: tensor<4x6xf32> {mica_sched.sharding = #rows}) -> (tensor<4x4xf32> {mica_sched.sharding = #out}) {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<6x6xf32>
  %whole = shard.update_halo %padded on @ranks split_axes = [[0]] halo_sizes = [1, 1] : tensor<6x6xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.conv_2d ins(%whole, %filter : tensor<6x6xf32>, tensor<3x3xf32>) outs(%start : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
