// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),func.func(linalg-generalize-named-ops),canonicalize,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-parallel-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[[[[1], [-2], [3]], [[-128], [127], [6]], [[7], [8], [9]]]]> : tensor<1x3x3x1xi8>} : () -> tensor<1x3x3x1xi8>
    %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
    %c = tosa.avg_pool2d %x, %z, %z {kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32} : (tensor<1x3x3x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
    %m = tosa.max_pool2d %c {kernel = array<i64: 1, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x2x2x1xi8>) -> tensor<1x2x1x1xi8>
    %r = tosa.cast %m : (tensor<1x2x1x1xi8>) -> tensor<1x2x1x1xi32>
    %u = tensor.cast %r : tensor<1x2x1x1xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
