// PIPELINE: --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
module {
  func.func @main() {
    %a = arith.constant dense<[[true, false], [false, true]]> : vector<2x2xi1>
    vector.print %a : vector<2x2xi1>
    %i = arith.constant dense<[-3, 5]> : vector<2xi7>
    %j = arith.extsi %i : vector<2xi7> to vector<2xi64>
    vector.print %j : vector<2xi64>
    %k = arith.constant 18446744073709551615 : i64
    vector.print %k : i64
    %x = index.constant -5
    vector.print %x : index
    %s = arith.constant dense<3> : vector<i32>
    vector.print %s : vector<i32>
    vector.print str "done\n"
    return
  }
}
