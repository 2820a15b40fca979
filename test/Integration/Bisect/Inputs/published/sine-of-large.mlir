// A range reduction that loses all digits.
// VERDICT: miscompile test-math-polynomial-approximation
// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),test-math-polynomial-approximation,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %1 = "tosa.const"() <{values = dense<-40190568.0> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
  %8 = tosa.sin %1 : (tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %cast = tensor.cast %8 : tensor<1x4x3xf32> to tensor<*xf32>
  call @printMemrefF32(%cast) : (tensor<*xf32>) -> ()
  return
}
