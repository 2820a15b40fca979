// PIPELINE: --convert-vector-to-scf --convert-scf-to-cf --convert-vector-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %a = arith.constant dense<true> : vector<i1>
  vector.print %a : vector<i1>
  %b = arith.constant dense<7> : vector<i32>
  vector.print %b : vector<i32>
  %c = arith.constant dense<[[1.5]]> : vector<1x1xf32>
  vector.print %c : vector<1x1xf32>
  return
}
