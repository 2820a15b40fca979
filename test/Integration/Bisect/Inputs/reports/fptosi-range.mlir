// PIPELINE: --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program arith.fptosi
func.func @main() {
  %a = arith.constant dense<[1.0e3, 3.0e2]> : vector<2xf32>
  %d = arith.fptosi %a : vector<2xf32> to vector<2xi8>
  vector.print %d : vector<2xi8>
  return
}
