// Vectors of i1 are packed in memory, elements are not.
// VERDICT: miscompile convert-vector-to-llvm
// PIPELINE: --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<[true, true, false, true]> : vector<4xi1>
  %m = memref.alloc() : memref<4xi1>
  vector.store %v, %m[%c0] : memref<4xi1>, vector<4xi1>
  %e = memref.load %m[%c1] : memref<4xi1>
  %i = arith.extui %e : i1 to i32
  vector.print %i : i32
  return
}
