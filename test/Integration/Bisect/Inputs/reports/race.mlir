// PIPELINE: --scf-parallel-loop-fusion --convert-scf-to-cf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program memref.load
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %m = memref.alloc() : memref<1xi32>
  memref.store %z, %m[%c0] : memref<1xi32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %v = memref.load %m[%c0] : memref<1xi32>
    %k = arith.index_cast %i : index to i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c0] : memref<1xi32>
    scf.reduce
  }
  %r = memref.load %m[%c0] : memref<1xi32>
  vector.print %r : i32
  return
}
