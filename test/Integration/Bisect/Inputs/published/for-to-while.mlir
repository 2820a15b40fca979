// A step that does not divide the bound.
// VERDICT: same
// PIPELINE: --scf-for-to-while --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c9 step %c2 iter_args(%a = %z) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %n = arith.addi %a, %k : i32
    scf.yield %n : i32
  }
  vector.print %r : i32
  return
}
