// PIPELINE: --affine-loop-tile=tile-size=32 --affine-loop-normalize --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %i0 = arith.constant 0 : index
  %n = arith.constant 5 : index
  %o = arith.constant 1 : index
  %v = arith.constant 21848 : i16
  %m = memref.alloc(%n, %o) : memref<?x?x1xi16>
  %w = arith.constant -58 : i16
  linalg.fill ins(%w : i16) outs(%m : memref<?x?x1xi16>)
  affine.for %k = 0 to 61 {
    memref.store %v, %m[%i0, %i0, %i0] : memref<?x?x1xi16>
  }
  %x = memref.load %m[%i0, %i0, %i0] : memref<?x?x1xi16>
  vector.print %x : i16
  return
}
