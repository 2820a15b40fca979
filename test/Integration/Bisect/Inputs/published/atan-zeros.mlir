// The fold makes a NaN of two zeros.
// VERDICT: miscompile canonicalize
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %z = arith.constant 0.0 : f32
  %r = math.atan2 %z, %z : f32
  vector.print %r : f32
  return
}
