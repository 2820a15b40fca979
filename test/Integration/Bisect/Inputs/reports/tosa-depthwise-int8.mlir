// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(linalg-generalize-named-ops,linalg-fold-unit-extent-dims),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-loop-unroll-jam),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[[[[1, 2], [-2, 3]], [[-128, 127], [7, 9]]]]> : tensor<1x2x2x2xi8>} : () -> tensor<1x2x2x2xi8>
    %w = "tosa.const"() {values = dense<[[[[1], [2]], [[3], [-4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
    %b = "tosa.const"() {values = dense<[5, -6]> : tensor<2xi32>} : () -> tensor<2xi32>
    %xz = "tosa.const"() {values = dense<-3> : tensor<1xi8>} : () -> tensor<1xi8>
    %wz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
    %r = tosa.depthwise_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x2xi8>, tensor<1x2x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x1x2xi32>
    %u = tensor.cast %r : tensor<1x2x1x2xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
