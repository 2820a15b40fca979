// An access behind a subview.
// VERDICT: undefined behavior in the program memref.load
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 2 : i32
  %m = memref.alloc(%c4) : memref<?xi32>
  linalg.fill ins(%k : i32) outs(%m : memref<?xi32>)
  %s = memref.subview %m[%c1][3][1] : memref<?xi32> to memref<3xi32, strided<[1], offset: ?>>
  %c3 = arith.constant 3 : index
  %x = memref.load %s[%c3] : memref<3xi32, strided<[1], offset: ?>>
  vector.print %x : i32
  return
}
