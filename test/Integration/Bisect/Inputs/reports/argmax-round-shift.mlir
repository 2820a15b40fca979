// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(linalg-fuse-elementwise-ops,linalg-fold-unit-extent-dims),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-loop-fusion),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<-79> : tensor<1x7x3xi32>} : () -> tensor<1x7x3xi32>
    %m = tosa.argmax %a {axis = 1 : i32} : (tensor<1x7x3xi32>) -> tensor<1x3xi32>
    %b = tosa.abs %m : (tensor<1x3xi32>) -> tensor<1x3xi32>
    %c = tosa.clamp %b {min_val = 0 : i32, max_val = 16 : i32} : (tensor<1x3xi32>) -> tensor<1x3xi32>
    %r = tosa.arithmetic_right_shift %m, %c {round = true} : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %u = tensor.cast %r : tensor<1x3xi32> to tensor<*xi32>
    call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
    return
  }
}
