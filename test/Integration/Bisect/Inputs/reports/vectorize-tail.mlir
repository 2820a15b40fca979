// PIPELINE: --affine-super-vectorize=virtual-vector-size=4 --convert-vector-to-scf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: miscompile affine-super-vectorize
memref.global "private" @g : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
func.func @main() {
  %g = memref.get_global @g : memref<8xi32>
  %m = memref.alloc() : memref<8xi32>
  memref.copy %g, %m : memref<8xi32> to memref<8xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %m[%i] : memref<8xi32>
    %w = arith.muli %v, %v : i32
    affine.store %w, %m[%i] : memref<8xi32>
  }
  %U = memref.cast %m : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%U) : (memref<*xi32>) -> ()
  return
}
func.func private @printMemrefI32(memref<*xi32>)
