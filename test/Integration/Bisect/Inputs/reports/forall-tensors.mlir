// PIPELINE: --one-shot-bufferize=bufferize-function-boundaries --scf-forall-to-for --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %t = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %r = scf.forall (%i, %j) in (3, 2) shared_outs(%o = %e) -> (tensor<2x3xf32>) {
    %v = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<3x2xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%j, %i] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<2x3xf32>
    }
  }
  %u = tensor.cast %r : tensor<2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
