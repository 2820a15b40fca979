// PIPELINE: --convert-vector-to-llvm --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: miscompile convert-vector-to-llvm
memref.global "private" @g : memref<1xi64> = dense<4503599627370496>
func.func @main() {
  %g = memref.get_global @g : memref<1xi64>
  %z = arith.constant 0 : index
  %v = memref.load %g[%z] : memref<1xi64>
  %n = index.castu %v : i64 to index
  %m = vector.create_mask %n : vector<7xi1>
  vector.print %m : vector<7xi1>
  return
}
