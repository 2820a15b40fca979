// RUN: mica-opt %s --mica-dispatch-widen-accumulators --cse --split-input-file | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @product_of_bf16
// CHECK-SAME: %[[A:.*]]: tensor<4x8xbf16>, %[[B:.*]]: tensor<8x?xbf16>
func.func @product_of_bf16(%a: tensor<4x8xbf16>, %b: tensor<8x?xbf16>, %n: index) -> tensor<4x?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty(%n) : tensor<4x?xbf16>
  // CHECK: %[[FILL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x?xf32>)
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x?xbf16>) -> tensor<4x?xbf16>
  // CHECK: %[[SUM:.*]] = linalg.generic
  // CHECK-SAME: ins(%[[A]], %[[B]] : tensor<4x8xbf16>, tensor<8x?xbf16>) outs(%[[FILL]] : tensor<4x?xf32>)
  // CHECK: ^bb0(%[[X:.*]]: bf16, %[[Y:.*]]: bf16, %[[ACC:.*]]: f32):
  // CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : bf16 to f32
  // CHECK-DAG: %[[WY:.*]] = arith.extf %[[Y]] : bf16 to f32
  // CHECK: %[[P:.*]] = arith.mulf %[[WX]], %[[WY]] : f32
  // CHECK: %[[S:.*]] = arith.addf %[[ACC]], %[[P]] : f32
  // CHECK: linalg.yield %[[S]] : f32
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xbf16>, tensor<8x?xbf16>) outs(%f : tensor<4x?xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %acc: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %acc, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<4x?xbf16>
  // CHECK: %[[R:.*]] = linalg.generic {{.*}}"parallel", "parallel"]} ins(%[[SUM]] : tensor<4x?xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: return %[[R]]
  return %0 : tensor<4x?xbf16>
}

// -----

#id = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>

// A maximum is exact in any width.
// CHECK-LABEL: func.func @maximum_stays
func.func @maximum_stays(%x: tensor<9xf16>, %init: tensor<f16>) -> tensor<f16> {
  // CHECK-NOT: f32
  // CHECK: arith.maximumf %{{.*}} : f16
  %0 = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]}
      ins(%x : tensor<9xf16>) outs(%init : tensor<f16>) {
  ^bb0(%in: f16, %acc: f16):
    %m = arith.maximumf %in, %acc : f16
    linalg.yield %m : f16
  } -> tensor<f16>
  return %0 : tensor<f16>
}

// -----

#id = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>

// An initial value from outside is extended; constants in the body keep their value.
// CHECK-LABEL: func.func @initial_value
// CHECK-SAME: %[[X:.*]]: tensor<9xf16>, %[[INIT:.*]]: tensor<f16>
func.func @initial_value(%x: tensor<9xf16>, %init: tensor<f16>) -> tensor<f16> {
  // CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<f16>)
  // CHECK: arith.extf
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<9xf16>) outs(%[[WIDE]] : tensor<f32>)
  // CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f16
  // CHECK: %[[H:.*]] = arith.extf %[[HALF]] : f16 to f32
  // CHECK: arith.mulf %{{.*}}, %[[H]] : f32
  %0 = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]}
      ins(%x : tensor<9xf16>) outs(%init : tensor<f16>) {
  ^bb0(%in: f16, %acc: f16):
    %half = arith.constant 0.5 : f16
    %h = arith.mulf %in, %half : f16
    %m = arith.addf %h, %acc : f16
    linalg.yield %m : f16
  } -> tensor<f16>
  return %0 : tensor<f16>
}
