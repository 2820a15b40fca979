// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-distribute))' | FileCheck %s

// The share of a two-dimensional loop, linearised.
// CHECK-LABEL: func.func @shares(
// CHECK-SAME:    %[[A:[^:]*]]: memref<64x32xf32>, %[[PART:[^:]*]]: index, %[[PARTS:[^:]*]]: index)
// CHECK-SAME:    mica_sched.grid = 2048 : i64
// CHECK:         %[[LO:.*]] = arith.divui %{{.*}}, %[[PARTS]]
// CHECK:         %[[HI:.*]] = arith.divui %{{.*}}, %[[PARTS]]
// CHECK:         scf.for %[[K:.*]] = %[[LO]] to %[[HI]]
// CHECK-DAG:       %[[J:.*]] = arith.remui %[[K]]
// CHECK-DAG:       %[[I:.*]] = arith.divui %[[K]]
// CHECK:           memref.store %{{.*}}, %[[A]][%[[I]], %[[J]]]
func.func @shares(%a: memref<64x32xf32>) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i, %j) in (64, 32) {
    memref.store %c, %a[%i, %j] : memref<64x32xf32>
  } {mica_codegen.distribute}
  return
}

// -----

// The attribute's value limits the shares.
// CHECK-LABEL: func.func @limited
// CHECK-SAME:    mica_sched.grid = 4 : i64
func.func @limited(%a: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i) in (64) {
    memref.store %c, %a[%i] : memref<64xf32>
  } {mica_codegen.distribute = 4 : i64}
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    mica_sched.grid = -1 : i64
func.func @dynamic(%a: memref<?xf32>, %n: index) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i) in (%n) {
    memref.store %c, %a[%i] : memref<?xf32>
  } {mica_codegen.distribute}
  return
}

// -----

// An argument written outside of the loop: the shares would race, so only share 0 works.
// CHECK-LABEL: func.func @serial(
// CHECK-SAME:    %[[A:[^:]*]]: memref<64xf32>, %[[PART:[^:]*]]: index
// CHECK-SAME:    mica_sched.grid = 1 : i64
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[PART]]
// CHECK:         scf.if %[[FIRST]]
// CHECK:           memref.store
// CHECK:           scf.for
func.func @serial(%a: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  memref.store %c, %a[%c0] : memref<64xf32>
  scf.forall (%i) in (64) {
    memref.store %c, %a[%i] : memref<64xf32>
  } {mica_codegen.distribute}
  return
}

// -----

// Each iteration has rows of its own, one after the other: 7 rows at a time, of which the last iteration has fewer.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    memref<64x32xf32> {mica_sched.access = "read"}, %{{[^:]*}}: memref<64x32xf32> {mica.share_elements = 224 : i64, mica_sched.access = "write"}
func.func @rows(%x: memref<64x32xf32> {mica_sched.access = "read"}, %a: memref<64x32xf32> {mica_sched.access = "write"}) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i) = (0) to (64) step (7) {
    %n = affine.min affine_map<(d0) -> (7, 64 - d0)>(%i)
    %s = memref.subview %a[%i, 0] [%n, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%s : memref<?x32xf32, strided<[32, 1], offset: ?>>)
  } {mica_codegen.distribute}
  return
}

// -----

// Two loops over the leading dimensions.
// CHECK-LABEL: func.func @rows_of_planes(
// CHECK-SAME:    mica.share_elements = 64 : i64
func.func @rows_of_planes(%a: memref<8x4x32xf32> {mica_sched.access = "write"}) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i, %j) = (0, 0) to (8, 4) step (1, 2) {
    %s = memref.subview %a[%i, %j, 0] [1, 2, 32] [1, 1, 1] : memref<8x4x32xf32> to memref<1x2x32xf32, strided<[128, 32, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%s : memref<1x2x32xf32, strided<[128, 32, 1], offset: ?>>)
  } {mica_codegen.distribute}
  return
}

// -----

// Not one after the other: tiles of columns, halves of planes that do not fit, rows from the last to the first, a
// buffer that is also written elsewhere.
// MUTATION: stays green, no attribute is to be set.
// CHECK-LABEL: func.func @not_contiguous(
// CHECK-NOT:     mica.share_elements
// CHECK:         scf.for
func.func @not_contiguous(%a: memref<8x8xf32> {mica_sched.access = "write"}, %b: memref<8x5x2xf32> {mica_sched.access = "write"},
                          %d: memref<8x8xf32> {mica_sched.access = "write"}, %e: memref<8x8xf32> {mica_sched.access = "write"}) {
  %c = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (0, 0) to (8, 8) step (1, 2) {
    %s = memref.subview %a[0, %j] [8, 2] [1, 1] : memref<8x8xf32> to memref<8x2xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%s : memref<8x2xf32, strided<[8, 1], offset: ?>>)
    %n = affine.min affine_map<(d0) -> (2, 5 - d0)>(%j)
    %t = memref.subview %b[%i, %j, 0] [1, %n, 2] [1, 1, 1] : memref<8x5x2xf32> to memref<1x?x2xf32, strided<[10, 2, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%t : memref<1x?x2xf32, strided<[10, 2, 1], offset: ?>>)
    %k = affine.apply affine_map<(d0) -> (7 - d0)>(%i)
    %u = memref.subview %d[%k, %j] [1, 2] [1, 1] : memref<8x8xf32> to memref<1x2xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%u : memref<1x2xf32, strided<[8, 1], offset: ?>>)
    %v = memref.subview %e[%i, %j] [1, 2] [1, 1] : memref<8x8xf32> to memref<1x2xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%c : f32) outs(%v : memref<1x2xf32, strided<[8, 1], offset: ?>>)
    memref.store %c, %e[%c0, %c0] : memref<8x8xf32>
  } {mica_codegen.distribute}
  return
}
