// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-data-copy-generate{generate-dma=false fast-mem-space=0 fast-mem-capacity=1}),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<-69> : tensor<1x1x20xi32>} : () -> tensor<1x1x20xi32>
    %b = tosa.cast %a : (tensor<1x1x20xi32>) -> tensor<1x1x20xf32>
    %r = tosa.sin %b : (tensor<1x1x20xf32>) -> tensor<1x1x20xf32>
    %u = tensor.cast %r : tensor<1x1x20xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
