// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops,scf-for-loop-peeling{peel-front}),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<[[1.5, 2.5, -3.5], [4.0, 0.5, 9.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %t = tosa.tanh %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %r = tosa.reduce_sum %t {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %u = tensor.cast %r : tensor<2x1xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
