// A report of others that is undefined behavior: tosa.logical_left_shift by more than 31, which linalg-fuse-elementwise-ops
// makes visible.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(func.func(tosa-to-linalg,linalg-fuse-elementwise-ops))' | FileCheck %s

// CHECK: verdict: undefined behavior in the program: a shift by 33 of a number of 32 bits at {{.*}}left-shift.mlir:[[# @LINE + 5]]:8
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<3> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
  %1 = "tosa.const"() <{values = dense<33> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
  %2 = tosa.logical_left_shift %0, %1 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %3 = tensor.cast %2 : tensor<1x4xi32> to tensor<*xi32>
  call @printMemrefI32(%3) : (tensor<*xi32>) -> ()
  return
}
