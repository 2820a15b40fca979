// exp(x) - 1 of a small number.
// VERDICT: miscompile convert-math-to-llvm
// PIPELINE: --convert-math-to-llvm --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %x = arith.constant 1.0e-20 : f64
  %y = math.expm1 %x : f64
  vector.print %y : f64
  return
}
