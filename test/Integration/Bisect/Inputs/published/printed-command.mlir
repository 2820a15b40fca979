// The commands of a report as the pipeline.
// VERDICT: same
// PIPELINE: mlir-opt a.mlir -pass-pipeline='builtin.module(func.func(tosa-to-linalg))' | mlir-opt -tosa-to-arith -one-shot-bufferize='bufferize-function-boundaries' -convert-linalg-to-affine-loops -lower-affine -convert-scf-to-cf -expand-strided-metadata -lower-host-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts | mlir-runner -e main -entry-point-result=void
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %0 = "tosa.const"() <{values = dense<-16> : tensor<4x1xi32>}> : () -> tensor<4x1xi32>
  %1 = tosa.equal %0, %0 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %2 = tosa.cast %1 : (tensor<4x1xi1>) -> tensor<4x1xi32>
  %cast = tensor.cast %2 : tensor<4x1xi32> to tensor<*xi32>
  call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
  return
}
