// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),func.func(linalg-fuse-elementwise-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %x = "tosa.const"() {values = dense<[[1, -2, 127], [-128, 50, 0]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
    %z = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
    %z0 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
    %n = tosa.negate %x, %z, %z0 : (tensor<2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
    %s = "tosa.const"() {values = dense<2> : tensor<1xi8>} : () -> tensor<1xi8>
    %s0 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
    %xi = tosa.cast %n : (tensor<2x3xi8>) -> tensor<2x3xi32>
    %m = tosa.mul %xi, %xi, %s : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<1xi8>) -> tensor<2x3xi32>
    %c = tosa.clamp %m {min_val = -50 : i32, max_val = 3000 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %t = tosa.reduce_min %c {axis = 0 : i32} : (tensor<2x3xi32>) -> tensor<1x3xi32>
    %g = tosa.greater_equal %c, %t : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<2x3xi1>
    %r = tosa.select %g, %c, %xi : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %u = tensor.cast %r : tensor<2x3xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
