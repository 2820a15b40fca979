// PIPELINE: --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-affine-loops --affine-super-vectorize=virtual-vector-size=4 --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: rounding
func.func @main() {
  %a = arith.constant dense<[[1.5, 2.0, -3.25, 60000.0], [0.1, 0.2, 0.3, 0.4]]> : tensor<2x4xf16>
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<2xf16>) -> tensor<2xf16>
  %r = linalg.reduce ins(%a : tensor<2x4xf16>) outs(%f : tensor<2xf16>) dimensions = [1] (%x: f16, %y: f16) {
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  }
  %i = arith.constant 1 : index
  %v = tensor.extract %r[%i] : tensor<2xf16>
  %w = arith.extf %v : f16 to f32
  vector.print %w : f32
  return
}
