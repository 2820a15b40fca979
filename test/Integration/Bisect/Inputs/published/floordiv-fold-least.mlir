// Folds of divisions of the least i8.
// VERDICT: same
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %a = arith.constant -128 : i8
  %b = arith.constant 127 : i8
  %m = arith.constant -1 : i8
  %0 = arith.ceildivsi %a, %b : i8
  %1 = arith.floordivsi %a, %b : i8
  %3 = arith.ceildivsi %b, %m : i8
  %4 = arith.floordivsi %b, %m : i8
  vector.print %0 : i8
  vector.print %1 : i8
  vector.print %3 : i8
  vector.print %4 : i8
  return
}
