// Reports of others: affine-loop-fusion moves loops past a call that gets their buffer, under another type or inside of the
// first loop.
// RUN: not mica-bisect %s --entry=alias --no-report --no-reduce --pipeline='builtin.module(func.func(affine-loop-fusion))' | FileCheck %s --check-prefix=ALIAS
// RUN: not mica-bisect %s --entry=inside --no-report --no-reduce --pipeline='builtin.module(func.func(affine-loop-fusion{mode=producer maximal}))' | FileCheck %s --check-prefix=INSIDE

// ALIAS: verdict: miscompile: affine-loop-fusion (pass 1 of 1) in @alias
// INSIDE: verdict: miscompile: affine-loop-fusion (pass 1 of 1) in @inside
func.func private @clear(%m: memref<?xf64>) {
  %z = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  memref.store %z, %m[%c3] : memref<?xf64>
  return
}
func.func @alias() -> f64 {
  %mid = memref.alloc() : memref<16xf64>
  %out = memref.alloc() : memref<16xf64>
  %k = arith.constant 2.5 : f64
  affine.for %i = 0 to 16 {
    affine.store %k, %mid[%i] : memref<16xf64>
  }
  %view = memref.cast %mid : memref<16xf64> to memref<?xf64>
  func.call @clear(%view) : (memref<?xf64>) -> ()
  affine.for %j = 0 to 16 {
    %c = affine.load %mid[%j] : memref<16xf64>
    %d = arith.addf %c, %c : f64
    affine.store %d, %out[%j] : memref<16xf64>
  }
  %c3 = arith.constant 3 : index
  %y = memref.load %out[%c3] : memref<16xf64>
  return %y : f64
}
func.func private @raise(%m: memref<16xf64>) {
  %k = arith.constant 1.5 : f64
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<16xf64>
  %y = arith.addf %x, %k : f64
  memref.store %y, %m[%c0] : memref<16xf64>
  return
}
func.func @inside() -> f64 {
  %mid = memref.alloc() : memref<16xf64>
  %out = memref.alloc() : memref<16xf64>
  %k = arith.constant 2.5 : f64
  affine.for %i = 0 to 16 {
    affine.store %k, %mid[%i] : memref<16xf64>
    func.call @raise(%mid) : (memref<16xf64>) -> ()
  }
  affine.for %j = 0 to 16 {
    %c = affine.load %mid[%j] : memref<16xf64>
    %d = arith.addf %c, %c : f64
    affine.store %d, %out[%j] : memref<16xf64>
  }
  %c0 = arith.constant 0 : index
  %y = memref.load %out[%c0] : memref<16xf64>
  return %y : f64
}
