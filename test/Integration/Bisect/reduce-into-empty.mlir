// A report of others that is undefined behavior: a reduction into tensor.empty.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops))' | FileCheck %s

// CHECK: it begins at
// CHECK-NEXT: 'tensor.empty': uninitialized elements of i32
// CHECK: it becomes visible at
// CHECK-NEXT: 'vector.print': a printed number
// CHECK: verdict: undefined behavior in the program: uninitialized elements of i32
func.func @main() {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %e = tensor.empty() : tensor<i32>
  %r = linalg.reduce { arith.addi } ins(%x : tensor<3xi32>) outs(%e : tensor<i32>) dimensions = [0]
  %s = tensor.extract %r[] : tensor<i32>
  vector.print %s : i32
  return
}
