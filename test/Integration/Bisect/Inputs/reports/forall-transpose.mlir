// PIPELINE: --scf-forall-to-parallel --convert-scf-to-cf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %g = memref.alloc() : memref<3x4xi32>
  scf.forall (%i, %j) in (3, 4) {
    %c = arith.constant 10 : index
    %p = arith.muli %i, %c : index
    %q = arith.addi %p, %j : index
    %v = arith.index_cast %q : index to i32
    memref.store %v, %g[%i, %j] : memref<3x4xi32>
  }
  %u = memref.cast %g : memref<3x4xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  memref.dealloc %g : memref<3x4xi32>
  return
}
func.func private @printMemrefI32(memref<*xi32>)
