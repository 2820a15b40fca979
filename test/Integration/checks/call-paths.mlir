// RUN: env MICA_DEBUG=assert-level=safe not mica-run %s --entry=load --input=4xf32=1,2,3,4 --input=3 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: env MICA_DEBUG=assert-level=safe,source-tracebacks=off not mica-run %s --entry=load --input=4xf32=1,2,3,4 --input=3 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: not mica-run %s --entry=divide --input=7 --input=0 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not mica-run %s --entry=asserted --input=-1 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: env MICA_DEBUG=assert-level=safe mica-run %s --entry=load --input=4xf32=1,2,3,4 --input=-1 2>&1 | FileCheck %s --check-prefix=CLEAN
// What fails in a host function that was inlined is named with the calls around it, innermost first; the source lines
// follow, innermost last.

// LOAD: error: check failed: memref.load [{{[0-9a-f]+}}] at call-paths.mlir:[[#@LINE+7]]:8, called at call-paths.mlir:[[#@LINE+15]]:8, called at call-paths.mlir:[[#@LINE+19]]:8 loads outside %m: index 7 in dimension 0, whose extent is 4
// LOAD: hint: see {{.*}}schedule.mlir
// LOAD-NEXT: source traceback, innermost last:
// LOAD: {{.*}}: %v = func.call @middle(%m, %i)
// LOAD: {{.*}}: %v = func.call @inner(%m, %j)
// LOAD: {{.*}}: %v = memref.load %m[%i]
func.func private @inner(%m: memref<4xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
// OFF-NOT: traceback
func.func private @middle(%m: memref<4xf32>, %i: index) -> f32 {
  %c4 = arith.constant 4 : index
  // CLEAN: 4
  %j = arith.addi %i, %c4 : index
  %v = func.call @inner(%m, %j) : (memref<4xf32>, index) -> f32
  return %v : f32
}
func.func @load(%m: memref<4xf32>, %i: index) -> f32 {
  %v = func.call @middle(%m, %i) : (memref<4xf32>, index) -> f32
  return %v : f32
}

// DIVIDE: arith.divsi [{{[0-9a-f]+}}] at call-paths.mlir:[[#@LINE+2]]:8, called at call-paths.mlir:[[#@LINE+6]]:8: integer division by zero, or one that overflows (7, 0)
func.func private @quotient(%x: i32, %y: i32) -> i32 {
  %q = arith.divsi %x, %y : i32
  return %q : i32
}
func.func @divide(%x: i32, %y: i32) -> i32 {
  %q = func.call @quotient(%x, %y) : (i32, i32) -> i32
  return %q : i32
}

// ASSERT: assertion failed: positive; cf.assert [{{[0-9a-f]+}}] at call-paths.mlir:[[#@LINE+4]]:3, called at call-paths.mlir:[[#@LINE+8]]:8
func.func private @checked(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %ok = arith.cmpi sgt, %x, %c0 : i32
  cf.assert %ok, "positive"
  return %x : i32
}
func.func @asserted(%x: i32) -> i32 {
  %y = func.call @checked(%x) : (i32) -> i32
  return %y : i32
}
