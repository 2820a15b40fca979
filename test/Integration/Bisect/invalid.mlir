// A pass may refuse a program, but not leave one that does not verify: that is a fault of the pass, as a crash is.
// RUN: rm -rf %t && not mica-bisect %s -o %t --pipeline='builtin.module(canonicalize,convert-scf-to-cf)' | FileCheck %s
// RUN: not mica-opt --convert-scf-to-cf %t/input.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: input of the pass, 11 ops reduced to {{[4-8]$}}
// CHECK: affine.for
// CHECK-NEXT: scf.
// CHECK: the verifier: 'affine.for' op expects region #0 to have 0 or 1 blocks
// CHECK: verdict: crash: pass convert-scf-to-cf leaves IR that does not verify{{$}}
// AGAIN: 'affine.for' op expects region #0 to have 0 or 1 blocks
func.func @f(%m: memref<4xf32>, %c: i1) {
  %z = arith.constant 1.0 : f32
  %o = arith.constant 2.0 : f32
  affine.for %i = 0 to 4 {
    scf.if %c {
      affine.store %z, %m[%i] : memref<4xf32>
    } else {
      affine.store %o, %m[%i] : memref<4xf32>
    }
  }
  return
}
