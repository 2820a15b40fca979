// PIPELINE: --buffer-deallocation-pipeline --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program memref.load
func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %z, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %v = memref.load %m[%c0] : memref<4xf32>
  vector.print %v : f32
  return
}
