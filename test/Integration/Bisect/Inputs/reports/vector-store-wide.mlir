// PIPELINE: --lower-affine --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program affine.vector_store
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4x1xi64>
  %k = arith.constant 43 : i64
  linalg.fill ins(%k : i64) outs(%m : memref<4x1xi64>)
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi64>
  affine.vector_store %v, %m[%c0, %c0] : memref<4x1xi64>, vector<4xi64>
  %r = memref.load %m[%c0, %c0] : memref<4x1xi64>
  vector.print %r : i64
  return
}
