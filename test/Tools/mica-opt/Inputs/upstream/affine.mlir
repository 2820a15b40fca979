// pipeline: builtin.module(func.func(affine-loop-fusion,affine-scalrep,affine-loop-unroll{unroll-factor=2}),canonicalize,func.func(lower-affine,convert-scf-to-cf),convert-to-llvm,reconcile-unrealized-casts)
func.func @two_loops(%a: memref<16xf32>, %b: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %v = affine.load %a[%i] : memref<16xf32>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %t[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %t[%i] : memref<16xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %b[%i] : memref<16xf32>
  }
  memref.dealloc %t : memref<16xf32>
  return
}
