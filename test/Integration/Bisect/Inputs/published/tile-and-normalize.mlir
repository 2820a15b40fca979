// A store that does not depend on the loop.
// VERDICT: same
// PIPELINE: --affine-loop-tile=tile-size=32 --affine-loop-normalize --convert-linalg-to-loops --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %i0 = arith.constant 0 : index
  %x = arith.constant 21848 : i16
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %m = memref.alloc(%c5, %c1) : memref<?x?x1xi16>
  %y = arith.constant -58 : i16
  linalg.fill ins(%y : i16) outs(%m : memref<?x?x1xi16>)
  affine.for %i = 0 to 61 {
    memref.store %x, %m[%i0, %i0, %i0] : memref<?x?x1xi16>
  }
  %1 = memref.load %m[%i0, %i0, %i0] : memref<?x?x1xi16>
  vector.print %1 : i16
  return
}
