// The extended product of two i1.
// VERDICT: same
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %t = arith.constant true
  %low, %high = arith.mulsi_extended %t, %t : i1
  vector.print %low : i1
  vector.print %high : i1
  return
}
