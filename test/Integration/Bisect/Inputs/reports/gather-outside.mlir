// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: undefined behavior in the program tosa.gather
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %v = "tosa.const"() {values = dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>} : () -> tensor<1x2x2xi32>
    %i = "tosa.const"() {values = dense<[[1, 7]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
    %r = tosa.gather %v, %i : (tensor<1x2x2xi32>, tensor<1x2xi32>) -> tensor<1x2x2xi32>
    %u = tensor.cast %r : tensor<1x2x2xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
