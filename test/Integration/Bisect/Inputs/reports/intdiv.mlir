// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: undefined behavior in the program tosa.intdiv
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[7, -7, 5]> : tensor<3xi32>} : () -> tensor<3xi32>
    %y = "tosa.const"() {values = dense<[2, 2, 0]> : tensor<3xi32>} : () -> tensor<3xi32>
    %r = tosa.intdiv %x, %y : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %u = tensor.cast %r : tensor<3xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
