// PIPELINE: --expand-strided-metadata --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program memref.subview
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%m : memref<4xf32>)
  %s = memref.subview %m[%c3] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %v = memref.load %s[%c0] : memref<2xf32, strided<[1], offset: ?>>
  vector.print %v : f32
  return
}
