// A reduction of i1 over a dimension, of which one is left.
// VERDICT: same
// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(linalg-fold-unit-extent-dims),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<-9558> : tensor<1x2x6xi32>}> : () -> tensor<1x2x6xi32>
  %1 = "tosa.const"() <{values = dense<-9606> : tensor<1x2x6xi32>}> : () -> tensor<1x2x6xi32>
  %3 = "tosa.const"() <{values = dense<1342> : tensor<1x2x6xi32>}> : () -> tensor<1x2x6xi32>
  %4 = tosa.bitwise_or %1, %3 : (tensor<1x2x6xi32>, tensor<1x2x6xi32>) -> tensor<1x2x6xi32>
  %5 = tosa.greater %0, %4 : (tensor<1x2x6xi32>, tensor<1x2x6xi32>) -> tensor<1x2x6xi1>
  %7 = tosa.reduce_any %5 {axis = 1 : i32} : (tensor<1x2x6xi1>) -> tensor<1x1x6xi1>
  %8 = tosa.cast %7 : (tensor<1x1x6xi1>) -> tensor<1x1x6xi32>
  %cast = tensor.cast %8 : tensor<1x1x6xi32> to tensor<*xi32>
  call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
  return
}
