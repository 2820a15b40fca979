// A pass of functions among flags, which stand in func.func.
// VERDICT: same
// PIPELINE: --affine-loop-unroll="unroll-factor=4" --affine-simplify-structures
func.func @f(%n: index, %m: memref<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %d = memref.dim %m, %n : memref<?xf32>
  %r = affine.for %i = 0 to %d iter_args(%s = %z) -> (f32) {
    %e = affine.load %m[%i] : memref<?xf32>
    %t = arith.addf %s, %e : f32
    affine.yield %t : f32
  }
  return %r : f32
}
