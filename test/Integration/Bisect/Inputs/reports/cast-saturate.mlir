// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[1.5, 2.5, -2.5, 3.0e9, -3.0e9]> : tensor<5xf32>} : () -> tensor<5xf32>
    %r = tosa.cast %x : (tensor<5xf32>) -> tensor<5xi32>
    %u = tensor.cast %r : tensor<5xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
