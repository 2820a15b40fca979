// PIPELINE: --memref-emulate-wide-int --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<8xi4>
  scf.for %i = %c0 to %c8 step %c1 {
    %v = arith.index_cast %i : index to i4
    %w = arith.muli %v, %v : i4
    memref.store %w, %m[%i] : memref<8xi4>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %m[%i] : memref<8xi4>
    %w = arith.extsi %v : i4 to i32
    vector.print %w : i32
  }
  return
}
