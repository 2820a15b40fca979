// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-affine-loops,affine-data-copy-generate{generate-dma=false fast-mem-space=0},affine-loop-fusion),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {

    %a = "tosa.const"() {values = dense<[[[5, -7], [100, 3]]]> : tensor<1x2x2xi32>} : () -> tensor<1x2x2xi32>
    %b = "tosa.const"() {values = dense<-12> : tensor<1x2x2xi32>} : () -> tensor<1x2x2xi32>
    %x = tosa.cast %a : (tensor<1x2x2xi32>) -> tensor<1x2x2xf32>
    %y = tosa.cast %b : (tensor<1x2x2xi32>) -> tensor<1x2x2xf32>
    %p = tosa.clamp %x {min_val = -6.0 : f32, max_val = 50.0 : f32} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %q = tosa.clamp %y {min_val = -8.0 : f32, max_val = 50.0 : f32} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %r = tosa.sub %p, %q : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %u = tensor.cast %r : tensor<1x2x2xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
}
