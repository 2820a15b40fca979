// The first iteration is peeled.
// VERDICT: same
// PIPELINE: builtin.module(func.func(tosa-to-linalg),tosa-to-arith,sparsification-and-bufferization,scf-for-loop-peeling{peel-front=true},convert-linalg-to-affine-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<-3871.94> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
  %1 = tosa.ceil %0 : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %cast = tensor.cast %1 : tensor<3x3xf32> to tensor<*xf32>
  call @printMemrefF32(%cast) : (tensor<*xf32>) -> ()
  return
}
