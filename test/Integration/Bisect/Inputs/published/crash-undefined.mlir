// The compiler ends, whatever the program computes: its loop bound is uninitialized.
// VERDICT: crash int-range-optimizations
// PIPELINE: --canonicalize --int-range-optimizations
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xindex>
  %n = memref.load %m[%c0] : memref<4xindex>
  affine.for %i = 0 to %n {
    memref.store %i, %m[%i] : memref<4xindex>
  }
  vector.print %n : index
  return
}
