// Buffers of a loop that go from one iteration to the next.
// VERDICT: same
// PIPELINE: --promote-buffers-to-stack --buffer-loop-hoisting --buffer-hoisting --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %p = memref.alloc() : memref<2xi32>
  memref.store %z, %p[%c0] : memref<2xi32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%q = %p) -> (memref<2xi32>) {
    %m = memref.alloc() : memref<2xi32>
    %v = memref.load %q[%c0] : memref<2xi32>
    %k = arith.index_cast %i : index to i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%c0] : memref<2xi32>
    scf.yield %m : memref<2xi32>
  }
  %x = memref.load %r[%c0] : memref<2xi32>
  vector.print %x : i32
  return
}
