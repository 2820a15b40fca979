// The upper half of an extended product of index.
// VERDICT: same
// PIPELINE: --sccp --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %t = arith.constant true
  %c = arith.constant 10283417 : index
  %low, %high = arith.mului_extended %c, %c : index
  %f = arith.subi %t, %t : i1
  %r:2 = scf.if %f -> (index, index) {
    %k = arith.constant -5111992125488369343 : index
    scf.yield %k, %k : index, index
  } else {
    %c5 = arith.constant 5 : index
    %s = arith.shrsi %high, %c5 : index
    scf.yield %s, %c5 : index, index
  }
  %low2, %high2 = arith.mului_extended %c, %r#1 : index
  vector.print %r#0 : index
  vector.print %low2 : index
  return
}
