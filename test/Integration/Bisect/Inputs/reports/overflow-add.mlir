// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),canonicalize,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %v = "tosa.const"() {values = dense<[2147483647, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %r0 = tosa.add %v, %v : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %r = tosa.abs %r0 : (tensor<2xi32>) -> tensor<2xi32>
    %u = tensor.cast %r : tensor<2xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
