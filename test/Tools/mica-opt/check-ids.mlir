// Which pass lost which ids: cse merges the two additions; eliminating a dead op loses its id too.
// RUN: mica-opt %s --mica-tensor-assign-ids --cse --mica-check-ids -o /dev/null 2>&1 | FileCheck %s
// CHECK: mica-check-ids: after cse: lost {{[0-9a-f]+}} arith.addf ({{.*}}check-ids.mlir:[[#@LINE+5]]:8)
// CHECK: mica-check-ids: 2 of 2 ops carry ids (100.0 %), constants apart

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  %1 = arith.addf %x, %x : tensor<4xf32>
  %2 = arith.mulf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
