// 0 to the power of -1: true, as a signed number.
// VERDICT: undefined behavior in the program math.ipowi
// PIPELINE: --test-math-algebraic-simplification --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %f = arith.constant false
  %t = arith.constant true
  %p = math.ipowi %f, %t : i1
  vector.print %p : i1
  return
}
