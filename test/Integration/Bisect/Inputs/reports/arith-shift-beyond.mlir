// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: undefined behavior in the program tosa.arithmetic_right_shift
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<1560> : tensor<1x3xi32>} : () -> tensor<1x3xi32>
    %b = "tosa.const"() {values = dense<[[2, 700, 4]]> : tensor<1x3xi32>} : () -> tensor<1x3xi32>
    %c = "tosa.const"() {values = dense<99> : tensor<1x3xi32>} : () -> tensor<1x3xi32>
    %s = tosa.arithmetic_right_shift %a, %b {round = true} : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %r = tosa.minimum %s, %c : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %u = tensor.cast %r : tensor<1x3xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
