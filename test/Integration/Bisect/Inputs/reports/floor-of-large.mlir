// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(math-expand-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<9.5> : tensor<3x20xf32>} : () -> tensor<3x20xf32>
    %p = tosa.reduce_product %a {axis = 1 : i32} : (tensor<3x20xf32>) -> tensor<3x1xf32>
    %r = tosa.floor %p : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %u = tensor.cast %r : tensor<3x1xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
