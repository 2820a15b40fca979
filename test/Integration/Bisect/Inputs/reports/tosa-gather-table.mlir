// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),canonicalize,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-parallel-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %v = "tosa.const"() {values = dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi32>} : () -> tensor<1x3x2xi32>
    %i = "tosa.const"() {values = dense<[[2, 0, 1, 2]]> : tensor<1x4xi32>} : () -> tensor<1x4xi32>
    %g = tosa.gather %v, %i : (tensor<1x3x2xi32>, tensor<1x4xi32>) -> tensor<1x4x2xi32>
    %c = tosa.concat %g, %v {axis = 1 : i32} : (tensor<1x4x2xi32>, tensor<1x3x2xi32>) -> tensor<1x7x2xi32>
    %r = tosa.reverse %c {axis = 1 : i32} : (tensor<1x7x2xi32>) -> tensor<1x7x2xi32>
    %u = tensor.cast %r : tensor<1x7x2xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
