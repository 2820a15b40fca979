// A shift by 3819, before a sum.
// VERDICT: undefined behavior in the program tosa.logical_right_shift
// PIPELINE: builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),func.func(linalg-fuse-elementwise-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-index-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<1641> : tensor<1x15x2xi32>}> : () -> tensor<1x15x2xi32>
  %1 = "tosa.const"() <{values = dense<3819> : tensor<1x15x2xi32>}> : () -> tensor<1x15x2xi32>
  %2 = tosa.abs %0 : (tensor<1x15x2xi32>) -> tensor<1x15x2xi32>
  %3 = tosa.logical_right_shift %2, %1 : (tensor<1x15x2xi32>, tensor<1x15x2xi32>) -> tensor<1x15x2xi32>
  %4 = tosa.reduce_sum %3 {axis = 1 : i32} : (tensor<1x15x2xi32>) -> tensor<1x1x2xi32>
  %5 = tosa.cast %4 : (tensor<1x1x2xi32>) -> tensor<1x1x2xf32>
  %cast = tensor.cast %5 : tensor<1x1x2xf32> to tensor<*xf32>
  call @printMemrefF32(%cast) : (tensor<*xf32>) -> ()
  return
}
