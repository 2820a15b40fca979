// PIPELINE: --normalize-memrefs --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
#t = affine_map<(i, j) -> (j, i)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<3x4xi32, #t>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.muli %i, %c4 : index
      %q = arith.addi %p, %j : index
      %v = arith.index_cast %q : index to i32
      memref.store %v, %m[%i, %j] : memref<3x4xi32, #t>
    }
  }
  affine.for %i = 0 to 3 {
    %v = affine.load %m[%i, 1] : memref<3x4xi32, #t>
    vector.print %v : i32
  }
  return
}
