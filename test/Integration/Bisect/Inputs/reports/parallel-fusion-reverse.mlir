// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-parallel-loops,scf-parallel-loop-fusion),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<[[[1, 20], [300, 4000], [5, 60]]]> : tensor<1x3x2xi32>} : () -> tensor<1x3x2xi32>
    %z = tosa.clz %a : (tensor<1x3x2xi32>) -> tensor<1x3x2xi32>
    %f = tosa.cast %z : (tensor<1x3x2xi32>) -> tensor<1x3x2xf32>
    %g = tosa.floor %f : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %r = tosa.reverse %g {axis = 1 : i32} : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %u = tensor.cast %r : tensor<1x3x2xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
