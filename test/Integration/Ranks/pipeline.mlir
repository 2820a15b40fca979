// A pipeline of two stages: rank 0 computes the first and sends it, rank 1 receives it and computes the second. The
// result is that of rank 1; rank 0 has its own stage.
// RUN: rm -rf %t && mica-compile %s -o %t
// RUN: mica-run %t --ranks=threads --input=2x3xf32=1,2,3,1,2,3 | FileCheck %s

// CHECK: {{\[\[}} 2.  4.  6.]
// CHECK-NEXT: [12. 14. 16.]]

shard.grid @stages(shape = 2)

func.func @main(%x: tensor<1x3xf32> {mica_sched.sharding = {grid = array<i64: 2>, shape = array<i64: 2, 3>, axes = [array<i64: 0>, array<i64>]}})
    -> (tensor<1x3xf32> {mica_sched.sharding = {grid = array<i64: 2>, shape = array<i64: 2, 3>, axes = [array<i64: 0>, array<i64>]}}) {
  %stage = shard.process_linear_index on @stages : index
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %stage, %zero : index
  %0 = scf.if %first -> (tensor<1x3xf32>) {
    %two = arith.constant dense<2.0> : tensor<1x3xf32>
    %1 = arith.mulf %x, %two : tensor<1x3xf32>
    %2 = shard.send %1 on @stages grid_axes = [0] destination = [1] : (tensor<1x3xf32>) -> tensor<1x3xf32>
    scf.yield %2 : tensor<1x3xf32>
  } else {
    %3 = shard.recv %x on @stages grid_axes = [0] source = [0] : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %ten = arith.constant dense<10.0> : tensor<1x3xf32>
    %4 = arith.addf %3, %ten : tensor<1x3xf32>
    scf.yield %4 : tensor<1x3xf32>
  }
  return %0 : tensor<1x3xf32>
}
