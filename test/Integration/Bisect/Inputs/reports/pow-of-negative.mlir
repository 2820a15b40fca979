// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(math-expand-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: miscompile math-expand-ops
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<-4.671> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %f = tosa.floor %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %s = tosa.add %f, %f : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %r = tosa.pow %s, %f : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %u = tensor.cast %r : tensor<2x3xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
