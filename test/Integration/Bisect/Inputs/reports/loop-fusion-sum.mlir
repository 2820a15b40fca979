// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-loop-fusion{maximal},affine-scalrep),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI64(tensor<*xi64>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<20> : tensor<6x2x3xi64>} : () -> tensor<6x2x3xi64>
    %r = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<6x2x3xi64>) -> tensor<1x2x3xi64>
    %u = tensor.cast %r : tensor<1x2x3xi64> to tensor<*xi64>
    call @printMemrefI64(%u) : (tensor<*xi64>) -> ()
    return
  }
}
