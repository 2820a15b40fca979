// A sum in another order differs in the last bits, which the roundings of its ops explain.
// RUN: mica-bisect %s --no-report --input=16777216.0 --input=1.0 --input=1.0 --load-pass-plugin=%faulty --pipeline='builtin.module(func.func(test-reassociate))' | FileCheck %s

// CHECK: largest difference: result 0 (f32): within tolerance
// CHECK: verdict: rounding: all differences are within what the roundings of the ops explain
func.func @main(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  %1 = arith.addf %0, %z : f32
  return %1 : f32
}
