// A report of others: affine-loop-fusion, after convert-linalg-to-affine-loops, on a padded, dilated convolution that is
// followed by a sum.
// RUN: rm -rf %t && not mica-bisect %s -o %t --budget=20 --pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith),one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-affine-loops,affine-loop-fusion),expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)' | FileCheck %s

// CHECK: ruled out: undefined behavior
// CHECK: verdict: miscompile: affine-loop-fusion (pass 6 of 14) in @main
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %x = "tosa.const"() {values = dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]], [[7.0], [8.0], [9.0]]]]> : tensor<1x3x3x1xf32>} : () -> tensor<1x3x3x1xf32>
  %w = "tosa.const"() {values = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 2>} : (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  %s = tosa.reduce_sum %c {axis = 1 : i32} : (tensor<1x3x3x1xf32>) -> tensor<1x1x3x1xf32>
  %u = tensor.cast %s : tensor<1x1x3x1xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
