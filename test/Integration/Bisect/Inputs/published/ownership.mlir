// Deallocation of one of two buffers.
// VERDICT: same
// PIPELINE: --ownership-based-buffer-deallocation --canonicalize --buffer-deallocation-simplification --bufferization-lower-deallocations --cse --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %k = arith.constant 5 : i32
  %a = memref.alloc() : memref<2xi32>
  memref.store %k, %a[%c0] : memref<2xi32>
  %r = scf.if %t -> (memref<2xi32>) {
    scf.yield %a : memref<2xi32>
  } else {
    %b = memref.alloc() : memref<2xi32>
    memref.store %k, %b[%c0] : memref<2xi32>
    scf.yield %b : memref<2xi32>
  }
  %x = memref.load %r[%c0] : memref<2xi32>
  vector.print %x : i32
  return
}
