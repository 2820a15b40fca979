// PIPELINE: builtin.module(func.func(tosa-layerwise-constant-fold,tosa-to-linalg,tosa-to-arith),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-parallel-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<0> : tensor<1x1xi32>} : () -> tensor<1x1xi32>
    %e = tosa.equal %a, %a : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %r = tosa.cast %e : (tensor<1x1xi1>) -> tensor<1x1xi32>
    %u = tensor.cast %r : tensor<1x1xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
