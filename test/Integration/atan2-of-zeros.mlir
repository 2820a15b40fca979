// The arctangent of two zeros is a zero or pi, also of constants, which upstream folds to NaN.
// RUN: mica-run %s --check-reference | FileCheck %s
// RUN: rm -rf %t && mica-compile %s --plain -o %t && mica-run %t --check-reference | FileCheck %s
// CHECK: reference: result 0 (f32): same
// CHECK: reference: result 1 (4xf64): same
func.func @f() -> (f32, tensor<4xf64>) {
  %z = arith.constant 0.0 : f32
  %0 = math.atan2 %z, %z : f32
  %y = arith.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf64>
  %x = arith.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf64>
  %1 = math.atan2 %y, %x : tensor<4xf64>
  return %0, %1 : f32, tensor<4xf64>
}
