// RUN: mica-opt %s -mica-codegen-convert-expm1-log1p | FileCheck %s

// CHECK-LABEL: func.func @scalar
// CHECK-SAME:    %[[X:.*]]: f64
// CHECK:         call @expm1(%[[X]]) : (f64) -> f64
// CHECK:         call @log1p(%[[X]]) : (f64) -> f64
func.func @scalar(%x: f64) -> (f64, f64) {
  %0 = math.expm1 %x : f64
  %1 = math.log1p %x : f64
  return %0, %1 : f64, f64
}

// One call per element.
// CHECK-LABEL: func.func @vector
// CHECK-COUNT-4: call @expm1f(
// CHECK-NOT:     call
// CHECK:         return
func.func @vector(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.expm1 %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// Computed in f32.
// CHECK-LABEL: func.func @half
// CHECK:         %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         %[[Y:.*]] = call @log1pf(%[[X]])
// CHECK:         arith.truncf %[[Y]] : f32 to f16
func.func @half(%x: f16) -> f16 {
  %0 = math.log1p %x : f16
  return %0 : f16
}

// What has an instruction or an intrinsic stays.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @others
// CHECK:         math.sqrt
// CHECK:         math.exp
func.func @others(%x: f32) -> (f32, f32) {
  %0 = math.sqrt %x : f32
  %1 = math.exp %x : f32
  return %0, %1 : f32, f32
}
