// PIPELINE: --affine-simplify-structures --lower-affine --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
#m = affine_map<(a, b) -> (((b - (b + 5)) floordiv 4) mod 6)>
func.func @main() {
  %k = arith.constant 3 : index
  %r = affine.apply #m(%k, %k)
  vector.print %r : index
  return
}
