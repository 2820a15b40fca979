// RUN: mica-opt %s -mica-reference-widen-complex | FileCheck %s

// CHECK-LABEL: func.func @narrow
// CHECK-SAME:    %[[Z:.*]]: complex<f32>
// CHECK:         %[[RE:.*]] = complex.re %[[Z]] : complex<f32>
// CHECK:         %[[WIDE:.*]] = arith.extf %[[RE]] : f32 to f64
// CHECK:         %[[W:.*]] = complex.create %[[WIDE]], %{{.*}} : complex<f64>
// CHECK:         %[[T:.*]] = complex.tanh %[[W]] : complex<f64>
// CHECK:         %[[R:.*]] = complex.re %[[T]] : complex<f64>
// CHECK:         arith.truncf %[[R]] : f64 to f32
func.func @narrow(%z: complex<f32>) -> complex<f32> {
  %0 = complex.tanh %z : complex<f32>
  return %0 : complex<f32>
}

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @wide
// CHECK-NEXT:    complex.tan %{{.*}} : complex<f64>
// CHECK-NEXT:    return
func.func @wide(%z: complex<f64>) -> complex<f64> {
  %0 = complex.tan %z : complex<f64>
  return %0 : complex<f64>
}
