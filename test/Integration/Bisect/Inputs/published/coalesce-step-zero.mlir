// A loop with a step of 0.
// VERDICT: undefined behavior in the program scf.for
// PIPELINE: builtin.module(func.func(affine-loop-coalescing))
// FLAGS: --entry=f
func.func @f(%n: index, %m: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  scf.for %i = %c0 to %n step %c0 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %k, %m[%i, %j] : memref<4x4xi32>
    }
  }
  return
}
