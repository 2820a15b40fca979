// PIPELINE: --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program vector.extract
memref.global "private" @g : memref<1xi64> = dense<9>
func.func @main() {
  %g = memref.get_global @g : memref<1xi64>
  %c0 = arith.constant 0 : index
  %a = memref.load %g[%c0] : memref<1xi64>
  %i = arith.index_cast %a : i64 to index
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %e = vector.extract %v[%i] : i32 from vector<4xi32>
  vector.print %e : i32
  return
}
