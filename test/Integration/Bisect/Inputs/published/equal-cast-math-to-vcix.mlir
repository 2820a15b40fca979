// A comparison that is cast to integers.
// VERDICT: same
// PIPELINE: builtin.module(func.func(test-math-to-vcix),func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<2> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
  %1 = tosa.equal %0, %0 : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
  %2 = tosa.cast %1 : (tensor<1x3xi1>) -> tensor<1x3xi32>
  %cast = tensor.cast %2 : tensor<1x3xi32> to tensor<*xi32>
  call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
  return
}
