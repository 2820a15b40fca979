// Stores to an element that the index map reaches now and then.
// VERDICT: same
// PIPELINE: builtin.module(func.func(affine-scalrep))
// FLAGS: --entry=f
func.func @f(%n: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 { affine.store %z, %m[%i] : memref<4xf32> }
  affine.store %x, %m[0] : memref<4xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %m[0] : memref<4xf32>
    %w = arith.addf %v, %x : f32
    affine.store %w, %m[%i mod 2] : memref<4xf32>
  }
  %r = affine.load %m[0] : memref<4xf32>
  return %r : f32
}
