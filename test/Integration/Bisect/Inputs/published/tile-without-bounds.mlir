// Tiled twice, with a condition in place of the minimum.
// VERDICT: same
// PIPELINE: builtin.module(func.func(tosa-to-linalg),tosa-to-arith,one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-parallel-loops,scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,4 no-min-max-bounds=true}),canonicalize,func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,4 no-min-max-bounds=true}),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %7 = "tosa.const"() <{values = dense<6220> : tensor<1x6x6xi32>}> : () -> tensor<1x6x6xi32>
  %9 = "tosa.const"() <{values = dense<-298> : tensor<1x6x6xi32>}> : () -> tensor<1x6x6xi32>
  %51 = tosa.bitwise_or %7, %9 : (tensor<1x6x6xi32>, tensor<1x6x6xi32>) -> tensor<1x6x6xi32>
  %cast = tensor.cast %51 : tensor<1x6x6xi32> to tensor<*xi32>
  call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
  return
}
