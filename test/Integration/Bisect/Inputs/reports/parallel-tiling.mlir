// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-parallel-loops,scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,4,4}),canonicalize,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<6220> : tensor<1x6x6xi32>} : () -> tensor<1x6x6xi32>
    %b = "tosa.const"() {values = dense<-298> : tensor<1x6x6xi32>} : () -> tensor<1x6x6xi32>
    %r = tosa.bitwise_or %a, %b : (tensor<1x6x6xi32>, tensor<1x6x6xi32>) -> tensor<1x6x6xi32>
    %u = tensor.cast %r : tensor<1x6x6xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
