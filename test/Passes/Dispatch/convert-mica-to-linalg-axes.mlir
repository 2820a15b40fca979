// RUN: mica-opt %s -convert-mica-to-linalg -split-input-file | FileCheck %s

// The largest element, then the least position at which it stands; where it is NaN, the first NaN.
// CHECK-LABEL: func.func @argmax(
// CHECK-SAME: %[[X:.*]]: tensor<4x9xf32>
// CHECK: %[[BEST:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[BEST]]
// CHECK: ^bb0(%[[ELEMENT:.*]]: f32, %[[B:.*]]: f32, %[[SO_FAR:.*]]: i32):
// CHECK: %[[EQUAL:.*]] = arith.cmpf oeq, %[[ELEMENT]], %[[B]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[ELEMENT]], %[[ELEMENT]]
// CHECK: %[[IS_BEST:.*]] = arith.ori %[[EQUAL]], %[[NAN]]
// CHECK: %[[HERE:.*]] = linalg.index 1
// CHECK: %[[POSITION:.*]] = arith.index_cast %[[HERE]] : index to i32
// CHECK: %[[CANDIDATE:.*]] = arith.select %[[IS_BEST]], %[[POSITION]]
// CHECK: arith.minsi %[[SO_FAR]], %[[CANDIDATE]]
func.func @argmax(%x: tensor<4x9xf32>) -> tensor<4xi32> {
  %0 = mica.argmax %x axis = 1 : (tensor<4x9xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A running sum has the sum so far as a result beside its own.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @running_sum(
// CHECK: %[[R:.*]]:2 = linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]], iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4x3xf32>, tensor<4x9x3xbf16>)
// CHECK: ^bb0(%[[ELEMENT:.*]]: bf16, %[[SO_FAR:.*]]: f32, %{{.*}}: bf16):
// CHECK: %[[WIDE:.*]] = arith.extf %[[ELEMENT]]
// CHECK: %[[SUM:.*]] = arith.addf %[[SO_FAR]], %[[WIDE]]
// CHECK: %[[BEFORE:.*]] = arith.truncf %[[SO_FAR]]
// CHECK: linalg.yield %[[SUM]], %[[BEFORE]]
// CHECK: return %[[R]]#1
func.func @running_sum(%x: tensor<4x9x3xbf16>) -> tensor<4x9x3xbf16> {
  %0 = mica.cumsum %x axis = 1 exclusive : tensor<4x9x3xbf16>
  return %0 : tensor<4x9x3xbf16>
}
