// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-loop-coalescing),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>} : () -> tensor<2x1x2xi32>
    %b = "tosa.const"() {values = dense<3> : tensor<2x2x3xi32>} : () -> tensor<2x2x3xi32>
    %z = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %c = tosa.matmul %a, %b, %z, %z : (tensor<2x1x2xi32>, tensor<2x2x3xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x1x3xi32>
    %u = tensor.cast %c : tensor<2x1x3xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
