// A shift by the width.
// VERDICT: undefined behavior in the program arith.shrui
// PIPELINE: --canonicalize --convert-arith-to-llvm --convert-vector-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %a = arith.constant 170141183460469231731687303715884105727 : i128
  %h = arith.constant 128 : i128
  %f = arith.shrui %a, %h : i128
  %g = arith.trunci %f : i128 to i64
  vector.print %g : i64
  return
}
