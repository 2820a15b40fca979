// A range reduction that loses all digits.
// VERDICT: miscompile test-math-polynomial-approximation
// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),test-math-polynomial-approximation{enable-avx2},one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %1 = "tosa.const"() <{values = dense<[[-1023.95, 18799.25]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %2 = "tosa.const"() <{values = dense<3671.42> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %3 = tosa.mul %1, %2, %s : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xi8>) -> tensor<1x2xf32>
  %8 = tosa.cos %3 : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %cast = tensor.cast %8 : tensor<1x2xf32> to tensor<*xf32>
  call @printMemrefF32(%cast) : (tensor<*xf32>) -> ()
  return
}
