// All iterations store to one element.
// VERDICT: undefined behavior in the program memref.store
// PIPELINE: --canonicalize --scf-forall-to-for --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  scf.forall (%i) in (4) {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %m[%c0] : memref<1xi32>
  }
  %x = memref.load %m[%c0] : memref<1xi32>
  vector.print %x : i32
  return
}
