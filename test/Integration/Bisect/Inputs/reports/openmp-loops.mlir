// Every state after the first two passes has the omp dialect.
// VERDICT: miscompile affine-loop-invariant-code-motion
// PIPELINE: --affine-loop-invariant-code-motion --convert-scf-to-openmp --lower-affine --convert-scf-to-cf --expand-strided-metadata --finalize-memref-to-llvm --convert-vector-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --convert-func-to-llvm --convert-openmp-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<8x2xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c2) step (%c1, %c1) {
      %a = arith.addi %i, %j : index
      %b = arith.index_cast %a : index to i32
      %c = arith.sitofp %b : i32 to f32
      %p = arith.cmpi slt, %i, %c2 : index
      %v = arith.select %p, %c, %z : f32
      memref.store %v, %m[%i, %j] : memref<8x2xf32>
    }
  }
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%z) -> f32 {
    %e = memref.load %m[%i, %c1] : memref<8x2xf32>
    scf.reduce(%e : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  affine.for %i = 0 to 0 {
    affine.store %z, %m[1, 1] : memref<8x2xf32>
  }
  %e = memref.load %m[%c1, %c1] : memref<8x2xf32>
  vector.print %e : f32
  vector.print %r : f32
  return
}
