// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-gpu-check-nans))' --split-input-file | FileCheck %s

// What a thread stores to a result is looked at; of a vector the first lane is named.
// CHECK-LABEL: func.func @k(
// CHECK-SAME:    mica_check.finite = "all"
// CHECK-SAME:    mica_check.inserted = 0
// CHECK-SAME:    mica_check.level = "none"
// CHECK:           %[[X:.*]] = memref.load %arg0[%[[T:.*]]]
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK:           %[[INF:.*]] = arith.constant 2139095040 : i32
// CHECK:           %[[MASK:.*]] = arith.constant 2147483647 : i32
// CHECK:           %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %[[MASK]]
// CHECK:           %[[ODD:.*]] = arith.cmpi uge, %[[MAGNITUDE]], %[[INF]]
// CHECK:           scf.if %[[ODD]] {
// CHECK:             %[[NAN:.*]] = arith.cmpi ugt, %[[MAGNITUDE]], %[[INF]]
// CHECK:             %[[EQ:.*]] = arith.cmpi eq, %[[MAGNITUDE]], %[[INF]]
// CHECK:             scf.if %[[NAN]] {
// CHECK-NEXT:          mica_check.not_finite nan %arg1[%[[T]]]
// CHECK:             scf.if %[[EQ]] {
// CHECK-NEXT:          mica_check.not_finite infinity %arg1[%[[T]]]
// CHECK:           memref.store %[[X]], %arg1
// CHECK:           %[[V:.*]] = vector.load
// CHECK:           arith.bitcast %[[V]] : vector<4xf16> to vector<4xi16>
// CHECK:           vector.reduction <or>
// CHECK:           scf.if
// CHECK:               %[[LANE:.*]] = vector.reduction <minui>
// CHECK:               %[[FIRST:.*]] = arith.index_castui %[[LANE]]
// CHECK:               %[[AT:.*]] = arith.addi %[[T]], %[[FIRST]]
// CHECK:               mica_check.not_finite nan %arg3[%[[AT]]]
// CHECK:           vector.store %[[V]], %arg3
func.func @k(%a: memref<64xf32> {mica_sched.access = "read"}, %o: memref<64xf32> {mica_sched.access = "write"},
             %b: memref<64xf16> {mica_sched.access = "read"}, %p: memref<64xf16> {mica_sched.access = "write"}) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) {
    %0 = memref.load %a[%tx] : memref<64xf32>
    memref.store %0, %o[%tx] : memref<64xf32>
    %1 = vector.load %b[%tx] : memref<64xf16>, vector<4xf16>
    vector.store %1, %p[%tx] : memref<64xf16>, vector<4xf16>
    gpu.terminator
  }
  return
}

// -----

// Lanes that a mask leaves out do not count; behind a view there is no place. Integers, temporaries and what maxima begin with are
// left alone.
// CHECK-LABEL: func.func @others(
// CHECK-SAME:    mica_check.finite = "all"
// CHECK:           %[[ODD:.*]] = arith.cmpi uge
// CHECK:           arith.andi %[[ODD]], %arg2 : vector<4xi1>
// CHECK:           vector.maskedstore
// CHECK:           mica_check.not_finite nan %{{.*}}[] : memref<4xf32, strided<[1], offset: 2>>
// CHECK:           memref.store
// CHECK-NOT:       arith.bitcast
func.func @others(%o: memref<64xf32> {mica_sched.access = "write"}, %n: memref<64xi32> {mica_sched.access = "write"}, %m: vector<4xi1>,
                  %v: vector<4xf32>, %f: f32, %i: i32, %t: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) {
    vector.maskedstore %o[%tx], %m, %v : memref<64xf32>, vector<4xi1>, vector<4xf32>
    %view = memref.subview %o[2] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: 2>>
    memref.store %f, %view[%c1] : memref<4xf32, strided<[1], offset: 2>>
    memref.store %i, %n[%tx] : memref<64xi32>
    memref.store %f, %t[%tx] : memref<64xf32>
    %low = arith.constant 0xFF800000 : f32
    memref.store %low, %o[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// One dimension of the whole buffer says the place too, and a transfer is a store.
// CHECK-LABEL: func.func @transfer(
// CHECK-SAME:    mica_check.finite = "all"
// CHECK:           %[[FLAT:.*]] = memref.collapse_shape
// CHECK:           mica_check.not_finite nan %[[FLAT]][%{{.*}}] : memref<64xf32>
// CHECK:           vector.transfer_write
func.func @transfer(%o: memref<4x16xf32> {mica_sched.access = "write"}, %v: vector<4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) {
    %flat = memref.collapse_shape %o [[0, 1]] : memref<4x16xf32> into memref<64xf32>
    vector.transfer_write %v, %flat[%tx] {in_bounds = [true]} : vector<4xf32>, memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// What else writes to a result is not seen, and of a buffer that is read too not everything was stored here.
// CHECK-LABEL: func.func @atomic(
// CHECK-SAME:    mica_check.finite = "some"
func.func @atomic(%o: memref<64xf32> {mica_sched.access = "write"}, %f: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) {
    %0 = memref.atomic_rmw addf %f, %o[%tx] : (f32, memref<64xf32>) -> f32
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @both(
// CHECK-SAME:    mica_check.finite = "some"
func.func @both(%o: memref<64xf32> {mica_sched.access = "readwrite"}, %f: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) {
    memref.store %f, %o[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Code of the host is nothing of it.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @host(
// CHECK-NOT:     mica_check
// CHECK:         return
func.func @host(%o: memref<64xf32> {mica_sched.access = "write"}, %f: f32) {
  %c1 = arith.constant 1 : index
  memref.store %f, %o[%c1] : memref<64xf32>
  return
}
