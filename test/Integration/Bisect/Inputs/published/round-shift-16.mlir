// A rounding shift in a parallel, vectorized loop.
// VERDICT: same
// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-parallelize,affine-super-vectorize{virtual-vector-size=4}),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<1676> : tensor<1x4x21xi32>}> : () -> tensor<1x4x21xi32>
  %a = tosa.abs %0 : (tensor<1x4x21xi32>) -> tensor<1x4x21xi32>
  %c = tosa.clamp %a {min_val = 0 : i32, max_val = 16 : i32} : (tensor<1x4x21xi32>) -> tensor<1x4x21xi32>
  %6 = tosa.arithmetic_right_shift %0, %c {round = true} : (tensor<1x4x21xi32>, tensor<1x4x21xi32>) -> tensor<1x4x21xi32>
  %t = tosa.transpose %6 {perms = array<i32: 0, 2, 1>} : (tensor<1x4x21xi32>) -> tensor<1x21x4xi32>
  %cast = tensor.cast %t : tensor<1x21x4xi32> to tensor<*xi32>
  call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
  return
}
