// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-promote-accumulators))' | FileCheck %s

// A fill becomes a fill of f32; the product is made and summed in f32 and rounded once.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:.*]]: tensor<4x?xbf16>, %[[B:.*]]: tensor<?x8xbf16>, %{{.*}}: tensor<4x8xbf16>)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[INIT]] : tensor<4x8xf32>)
// CHECK:         ^bb0(%[[X:.*]]: bf16, %[[Y:.*]]: bf16, %[[ACC:.*]]: f32):
// CHECK-DAG:       %[[XW:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-DAG:       %[[YW:.*]] = arith.extf %[[Y]] : bf16 to f32
// CHECK:           %[[P:.*]] = arith.mulf %[[XW]], %[[YW]] : f32
// CHECK:           %[[S:.*]] = arith.addf %[[ACC]], %[[P]] : f32
// CHECK:           linalg.yield %[[S]] : f32
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xf32>)
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:         return %[[R]] : tensor<4x8xbf16>
func.func @matmul(%a: tensor<4x?xbf16>, %b: tensor<?x8xbf16>, %e: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xbf16>, tensor<?x8xbf16>) outs(%f : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// What the sum starts from is widened; an accumulator that the body rounds by itself is one too.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[C:.*]]: tensor<4xf16>)
// CHECK:         %[[INIT:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<4xf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK:           arith.extf
// CHECK:         linalg.generic {{.*}} ins(%[[A]] : tensor<4x8xf32>) outs(%[[INIT]] : tensor<4xf32>)
// CHECK:         ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[ACC]], %[[X]] : f32
// CHECK-NEXT:      linalg.yield %[[S]] : f32
func.func @sum(%a: tensor<4x8xf32>, %c: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf16>) {
  ^bb0(%x: f32, %acc: f16):
    %w = arith.extf %acc : f16 to f32
    %s = arith.addf %w, %x : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// A maximum is exact.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @max(
// CHECK-NOT:     f32
// CHECK:         arith.maximumf %{{.*}} : bf16
func.func @max(%a: tensor<4x8xbf16>, %c: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xbf16>) outs(%c : tensor<4xbf16>) {
  ^bb0(%x: bf16, %acc: bf16):
    %m = arith.maximumf %x, %acc : bf16
    linalg.yield %m : bf16
  } -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
