// PIPELINE: builtin.module(func.func(linalg-detensorize,linalg-inline-scalar-operands,linalg-fold-unit-extent-dims{use-rank-reducing-slices}),canonicalize,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
// VERDICT: same
#s = affine_map<() -> ()>
#v = affine_map<(i) -> (i)>
#w = affine_map<(i) -> ()>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %a = arith.constant dense<2.5> : tensor<f32>
  %b = arith.constant dense<[1.0, -4.0, 0.5]> : tensor<3xf32>
  %e = tensor.empty() : tensor<f32>
  %f = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%a : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %h = tensor.empty() : tensor<3xf32>
  %g = linalg.generic {indexing_maps = [#w, #v, #v], iterator_types = ["parallel"]} ins(%f, %b : tensor<f32>, tensor<3xf32>) outs(%h : tensor<3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  %u = tensor.cast %g : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
