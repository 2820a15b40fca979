// The least i8 divided by -1.
// VERDICT: undefined behavior in the program arith.floordivsi
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %a = arith.constant -128 : i8
  %m = arith.constant -1 : i8
  %1 = arith.floordivsi %a, %m : i8
  vector.print %1 : i8
  return
}
