// A comparison beside a loop of blocks.
// VERDICT: same
// PIPELINE: --convert-scf-to-cf --arith-unsigned-when-equivalent --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %v = arith.constant dense<[4, 9, 2, 8, 1, 6, 3]> : vector<7xi32>
  %unused = arith.cmpi sge, %c0, %c0 : index
  cf.br ^loop
^loop:
  %sum = scf.for %i = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> (i32) {
    %e = vector.extract %v[%i] : i32 from vector<7xi32>
    %n = arith.addi %acc, %e : i32
    scf.yield %n : i32
  }
  vector.print %sum : i32
  return
}
