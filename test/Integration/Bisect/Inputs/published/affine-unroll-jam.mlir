// The loops carry a dependence of distance (1, -1).
// VERDICT: miscompile affine-loop-unroll-jam
// PIPELINE: builtin.module(func.func(affine-loop-unroll-jam{unroll-jam-factor=2}))
// FLAGS: --entry=f
func.func @f(%m: memref<5x5xi32>) {
  affine.for %i = 1 to 5 {
    affine.for %j = 0 to 4 {
      %v = affine.load %m[%i - 1, %j + 1] : memref<5x5xi32>
      affine.store %v, %m[%i, %j] : memref<5x5xi32>
    }
  }
  return
}
