// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-loop-fusion),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: miscompile affine-loop-fusion
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[[[[1], [-2], [3]], [[-128], [127], [6]], [[7], [8], [9]]]]> : tensor<1x3x3x1xi8>} : () -> tensor<1x3x3x1xi8>
    %w = "tosa.const"() {values = dense<[[[[1], [2]], [[-3], [4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
    %b = "tosa.const"() {values = dense<10> : tensor<1xi32>} : () -> tensor<1xi32>
    %xz = "tosa.const"() {values = dense<-7> : tensor<1xi8>} : () -> tensor<1xi8>
    %wz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
    %c = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %mu = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
    %sh = "tosa.const"() {values = dense<33> : tensor<1xi8>} : () -> tensor<1xi8>
    %iz = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %oz = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
    %q = tosa.rescale %c, %mu, %sh, %iz, %oz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi8>
    %r = tosa.cast %q : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi32>
    %u = tensor.cast %r : tensor<1x4x4x1xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
