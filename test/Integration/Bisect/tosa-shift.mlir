// A report of others that is undefined behavior: tosa.logical_right_shift by more than 31. The fold and the lowering to
// loops give other numbers; neither is wrong.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(canonicalize,func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries})' | FileCheck %s

// CHECK: it begins at
// CHECK-NEXT: tosa-shift.mlir:[[# @LINE + 9]]:8: 'tosa.logical_right_shift': a shift by 40 of a number of 32 bits
// CHECK: it becomes visible at
// CHECK-NEXT: 'func.call': a printed number
// CHECK: verdict: undefined behavior in the program: a shift by 40 of a number of 32 bits at {{.*}}tosa-shift.mlir:[[# @LINE + 6]]:8
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %a = "tosa.const"() {values = dense<[8, 100]> : tensor<2xi32>} : () -> tensor<2xi32>
  %b = "tosa.const"() {values = dense<[1, 40]> : tensor<2xi32>} : () -> tensor<2xi32>

  %r = tosa.logical_right_shift %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %u = tensor.cast %r : tensor<2xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  return
}
