// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-reference-expand-vectors))' | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK-NOT: vector.multi_reduction
// CHECK: vector.reduction <add>
func.func @sums(%v: vector<2x3xf32>, %a: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<2x3xf32> to vector<3xf32>
  return %0 : vector<3xf32>
}

// CHECK-LABEL: func.func @all
// CHECK-NOT: vector.multi_reduction
func.func @all(%v: vector<2x3xi32>, %a: i32) -> i32 {
  %0 = vector.multi_reduction <xor>, %v, %a [0, 1] : vector<2x3xi32> to i32
  return %0 : i32
}

// CHECK-LABEL: func.func @scan
// CHECK-NOT: vector.scan
func.func @scan(%v: vector<2x3xi32>, %a: vector<3xi32>) -> vector<2x3xi32> {
  %0:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 0 : i64} : vector<2x3xi32>, vector<3xi32>
  return %0#0 : vector<2x3xi32>
}
