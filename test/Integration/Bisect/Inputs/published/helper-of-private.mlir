// The function to run is private, and calls the public one.
// VERDICT: same
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @sum(%t: memref<?xi1>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant false
  %n = memref.dim %t, %c0 : memref<?xi1>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (i1) {
    %e = memref.load %t[%i] : memref<?xi1>
    %1 = arith.addi %a, %e : i1
    scf.yield %1 : i1
  }
  return %0 : i1
}
func.func private @func1() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %f = arith.constant false
  %m = memref.alloc() : memref<2xi1>
  memref.store %t, %m[%c0] : memref<2xi1>
  memref.store %f, %m[%c1] : memref<2xi1>
  %d = memref.cast %m : memref<2xi1> to memref<?xi1>
  %r = call @sum(%d) : (memref<?xi1>) -> i1
  vector.print %r : i1
  %x = arith.sitofp %r : i1 to f32
  return %x : f32
}
