// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(linalg-generalize-named-ops,linalg-specialize-generic-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<[[1.5, 2.5, -3.5], [4.0, 0.5, 9.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %b = "tosa.const"() {values = dense<[[2.0, -2.5, 7.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
    %s = tosa.sub %b, %a : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %e = tosa.exp %s : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %m = tosa.maximum %e, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %q = tosa.reciprocal %m : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %r = tosa.reduce_max %q {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %u = tensor.cast %r : tensor<1x3xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
