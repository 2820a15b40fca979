// A loop without effects that never ends, because nothing that its condition needs changes, is reported; it is not erased.
// REQUIRES: compiler
// RUN: not mica-run %s --entry=f --no-cache --input=i64=10 --input=i64=9 2>&1 | FileCheck %s
// RUN: not mica-run %s --entry=f --no-cache -O0 --input=i64=10 --input=i64=9 2>&1 | FileCheck %s
// RUN: not mica-run %s --entry=body --no-cache --input=4xi32=5,5,6,5 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not mica-run %s --entry=body --no-cache --target=sim --input=4xi32=5,5,6,5 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not mica-run %s --entry=buffers --no-cache --input=2xf32=1.5 --input=9 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not mica-run %s --entry=buffers --no-cache -O0 --input=2xf32=1.5 --input=9 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: mica-run %s --entry=buffers --no-cache --mica-debug=assert-level=none --input=2xf32=1.5 --input=8
// RUN: mica-run %s --entry=f --no-cache --input=i64=10 --input=i64=10 2>&1 | FileCheck %s --check-prefix=ENDS
// ENDS: result 0
// ENDS-NEXT: 10
func.func @f(%n: i64, %end: i64) -> i64 {
  %half = arith.constant 0.5 : f32
  // CHECK: error: check failed: scf.while [{{[0-9a-f]+}}] at endless-unchanging.mlir:[[#@LINE + 1]]:10: the loop never ends: nothing that its condition needs changes; 0 iterations; it carries 10, 0.5; in the host function of entry 'f'
  %r:2 = scf.while (%i = %n, %h = %half) : (i64, f32) -> (i64, f32) {
    %c = arith.cmpi ne, %i, %end : i64
    scf.condition(%c) %i, %h : i64, f32
  } do {
  ^bb0(%i: i64, %h: f32):
    scf.yield %i, %h : i64, f32
  }
  return %r#0 : i64
}

// BODY: error: check failed: scf.while of linalg.generic [{{[0-9a-f]+}}] at endless-unchanging.mlir:[[#@LINE + 6]]:10: the loop never ends: nothing that its condition needs changes; 0 iterations; it carries 6, at element [2] of %r{{[;,]}}
func.func @body(%x: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%n: i32, %o: i32):
    %v = scf.while (%i = %n) : (i32) -> i32 {
      %c5 = arith.constant 5 : i32
      %c = arith.cmpi ne, %i, %c5 : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      scf.yield %i : i32
    }
    linalg.yield %v : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// In a function on buffers.
func.func @buffers(%m: memref<2xf32>, %end: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : i32
  %x = memref.load %m[%c0] : memref<2xf32>
  // BUFFERS: error: check failed: scf.while {{.*}}at endless-unchanging.mlir:[[#@LINE + 1]]:10: the loop never ends: nothing that its condition needs changes; 0 iterations; it carries 8, 1.5
  %r:2 = scf.while (%i = %c8, %h = %x) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi ne, %i, %end : i32
    scf.condition(%c) %i, %h : i32, f32
  } do {
  ^bb0(%i: i32, %h: f32):
    %g = arith.addf %h, %h : f32
    scf.yield %i, %g : i32, f32
  }
  memref.store %r#1, %m[%c0] : memref<2xf32>
  return
}
