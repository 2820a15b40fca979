// Operands that are not known to the fold.
// VERDICT: same
// PIPELINE: --arith-expand --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  call @g() : () -> ()
  return
}
func.func @k() -> (i64, i64) {
  %a = arith.constant -9223372036854775807 : i64
  %b = arith.constant -1 : i64
  return %a, %b : i64, i64
}
func.func @g() {
  %a, %b = call @k() : () -> (i64, i64)
  %r = arith.floordivsi %a, %b : i64
  vector.print %r : i64
  %s = arith.ceildivsi %a, %b : i64
  vector.print %s : i64
  return
}
