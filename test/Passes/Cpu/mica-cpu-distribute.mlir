// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-cpu-distribute))' | FileCheck %s

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
  } {mica.distribute}
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
  } {mica.distribute = 4 : i64}
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    mica_sched.grid = -1 : i64
func.func @dynamic(%a: memref<?xf32>, %n: index) {
  %c = arith.constant 1.0 : f32
  scf.forall (%i) in (%n) {
    memref.store %c, %a[%i] : memref<?xf32>
  } {mica.distribute}
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
  } {mica.distribute}
  return
}
