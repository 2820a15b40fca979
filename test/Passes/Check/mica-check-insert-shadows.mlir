// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert-shadows))' --split-input-file | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert-shadows{prove=false}))' --split-input-file | FileCheck %s --check-prefix=ALL

// A use is looked at; what is stored is written.
// CHECK-LABEL: func.func @use
// CHECK-SAME: mica_check.reads = 1 : i64, mica_check.shadows = 0 : i64
func.func @use(%a: memref<?xf32> {mica_sched.access = "read"}, %b: memref<?xf32> {mica_sched.access = "write"}, %i: index) {
  // CHECK-DAG: %[[A:.*]] = mica_check.shadow %arg0
  // CHECK-DAG: %[[B:.*]] = mica_check.shadow %arg1
  // CHECK: memref.load %arg0
  // CHECK-NEXT: %[[O:.*]] = memref.load %[[A]][%arg2] : memref<?xi16>
  // CHECK-NEXT: %[[OK:.*]] = mica_check.initialized %[[O]]
  // CHECK-NEXT: scf.if %[[OK]]
  // CHECK: mica_check.uninitialized %arg0[%arg2] count %{{.*}} origin %[[O]]
  %0 = memref.load %a[%i] : memref<?xf32>
  %1 = arith.negf %0 : f32
  // CHECK: memref.store %{{.*}}, %arg1[%arg2]
  // CHECK: memref.store %{{.*}}, %[[B]][%arg2] : memref<?xi16>
  memref.store %1, %b[%i] : memref<?xf32>
  return
}

// -----

// A move is none: what is known goes along, through shapes and choices.
// CHECK-LABEL: func.func @move
// CHECK-SAME: mica_check.reads = 0 : i64
func.func @move(%a: memref<8xf32> {mica_sched.access = "read"}, %b: memref<8xf32> {mica_sched.access = "write"}, %i: index, %c: i1) {
  %v = arith.constant dense<1.0> : vector<4xf32>
  // CHECK: %[[O:.*]] = vector.load %{{.*}} : memref<8xi16>, vector<4xi16>
  %0 = vector.load %a[%i] : memref<8xf32>, vector<4xf32>
  // CHECK: %[[S:.*]] = arith.select %arg3, %[[O]], %{{.*}} : vector<4xi16>
  %1 = arith.select %c, %0, %v : vector<4xf32>
  // CHECK: %[[R:.*]] = vector.shuffle %[[S]], %[[S]] [3, 2, 1, 0] : vector<4xi16>
  %2 = vector.shuffle %1, %1 [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  // CHECK-NOT: mica_check.initialized
  // CHECK: vector.store %[[R]], %{{.*}} : memref<8xi16>, vector<4xi16>
  vector.store %2, %b[%i] : memref<8xf32>, vector<4xf32>
  return
}

// -----

// Out of a conditional it goes as a result more; where it is used outside, it is looked at inside.
// CHECK-LABEL: func.func @branch
func.func @branch(%a: memref<8xf32> {mica_sched.access = "read"}, %b: memref<8xf32> {mica_sched.access = "write"}, %i: index, %c: i1) {
  %z = arith.constant 0.0 : f32
  // CHECK: %[[R:.*]]:2 = scf.if %arg3 -> (f32, i16)
  // CHECK-NOT: mica_check.initialized
  %0 = scf.if %c -> (f32) {
    %1 = memref.load %a[%i] : memref<8xf32>
    scf.yield %1 : f32
  } else {
    scf.yield %z : f32
  }
  // CHECK: memref.store %[[R]]#1, %{{.*}} : memref<8xi16>
  memref.store %0, %b[%i] : memref<8xf32>
  // CHECK: scf.if %arg3
  // CHECK: mica_check.initialized
  %2 = scf.if %c -> (f32) {
    %3 = memref.load %a[%i] : memref<8xf32>
    scf.yield %3 : f32
  } else {
    scf.yield %z : f32
  }
  %4 = arith.negf %2 : f32
  memref.store %4, %b[%i] : memref<8xf32>
  return
}

// -----

// Of a use under a condition, nothing is said where it does not take place.
// CHECK-LABEL: func.func @conditional_use
func.func @conditional_use(%a: memref<f32> {mica_sched.access = "read"}, %b: memref<f32> {mica_sched.access = "write"}, %c: i1) {
  // CHECK: %[[O:.*]] = memref.load %{{.*}}[] : memref<i16>
  %0 = memref.load %a[] : memref<f32>
  // CHECK: arith.select
  // CHECK-NEXT: scf.if %arg2
  scf.if %c {
    // CHECK-NEXT: mica_check.initialized %[[O]]
    %1 = arith.negf %0 : f32
    memref.store %1, %b[] : memref<f32>
  }
  return
}

// -----

// Buffers inside the kernel: one that is filled with what is computed needs no shadow, one that is filled with what is moved is
// not poisoned, and one that is not filled is.
// CHECK-LABEL: func.func @inside
// CHECK-SAME: mica_check.shadows = 1 : i64
// ALL-LABEL: func.func @inside
// ALL-SAME: mica_check.shadows = 3 : i64
func.func @inside(%a: memref<32xf32> {mica_sched.access = "read"}, %b: memref<32xf32> {mica_sched.access = "write"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : vector<16xf32>
  // CHECK: %[[X:.*]] = memref.alloc() : memref<32xf32>
  // CHECK-NOT: mica_check.shadow %[[X]]
  %x = memref.alloc() : memref<32xf32>
  // CHECK: %[[Y:.*]] = memref.alloc() : memref<32xf32>
  // CHECK: mica_check.shadow filled %[[Y]] in
  // CHECK-NOT: mica_check.origin
  %y = memref.alloc() : memref<32xf32>
  // CHECK: %[[W:.*]] = memref.alloc() : memref<32xf32>
  // CHECK: mica_check.shadow %[[W]] in
  // CHECK: %[[O:.*]] = mica_check.origin 0
  // CHECK: scf.for
  // CHECK: memref.store %[[O]]
  %w = memref.alloc() : memref<32xf32>
  scf.for %i = %c0 to %c32 step %c16 {
    vector.store %z, %x[%i] : memref<32xf32>, vector<16xf32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %0 = memref.load %a[%i] : memref<32xf32>
    memref.store %0, %y[%i] : memref<32xf32>
  }
  scf.for %i = %c0 to %c31 step %c1 {
    %0 = memref.load %x[%i] : memref<32xf32>
    memref.store %0, %w[%i] : memref<32xf32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %0 = memref.load %x[%i] : memref<32xf32>
    %1 = memref.load %y[%i] : memref<32xf32>
    %2 = memref.load %w[%i] : memref<32xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    memref.store %4, %b[%i] : memref<32xf32>
  }
  return
}

// -----

// An argument that is written whole, in slices and what is left of them.
// CHECK-LABEL: func.func @fills
// CHECK-SAME: %arg0: memref<37x20xf32> {mica_check.fills
// CHECK-SAME: %arg1: memref<37xf32> {mica_sched.access
func.func @fills(%a: memref<37x20xf32> {mica_sched.access = "write"}, %b: memref<37xf32> {mica_sched.access = "write"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c36 = arith.constant 36 : index
  %z = arith.constant 0.0 : f32
  %v = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%i) = (0) to (37) step (8) {
    %n = affine.min affine_map<(d0) -> (-d0 + 37, 8)>(%i)
    %s = memref.subview %a[%i, 0] [%n, 20] [1, 1] : memref<37x20xf32> to memref<?x20xf32, strided<[20, 1], offset: ?>>
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %c16 step %c16 {
        vector.store %v, %s[%j, %k] : memref<?x20xf32, strided<[20, 1], offset: ?>>, vector<16xf32>
      }
      scf.for %k = %c16 to %c20 step %c1 {
        memref.store %z, %s[%j, %k] : memref<?x20xf32, strided<[20, 1], offset: ?>>
      }
    }
  }
  scf.for %i = %c0 to %c36 step %c1 {
    memref.store %z, %b[%i] : memref<37xf32>
  }
  return
}

// -----

// Where something unknown is done to a buffer, all of it counts as written.
// CHECK-LABEL: func.func @unknown
func.func @unknown(%a: memref<8xf32> {mica_sched.access = "write"}, %b: memref<8xf32> {mica_sched.access = "write"}) {
  // CHECK: %[[S:.*]] = mica_check.shadow %arg0
  // CHECK: scf.for
  // CHECK-NEXT: memref.store %{{.*}}, %[[S]]
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  call @other(%b) : (memref<8xf32>) -> ()
  // CHECK: call @other
  // CHECK: scf.for
  // CHECK-NEXT: memref.store
  return
}
func.func private @other(memref<8xf32>)

// -----

// What is worked out for a select alone is used where the select chooses it, and the select is.
// CHECK-LABEL: func.func @choice
func.func @choice(%a: memref<f32> {mica_sched.access = "read"}, %b: memref<i1> {mica_sched.access = "write"}, %x: f32, %c: i1) {
  %yes = arith.constant true
  // CHECK: %[[O:.*]] = memref.load %{{.*}}[] : memref<i16>
  %0 = memref.load %a[] : memref<f32>
  // CHECK-NOT: mica_check.initialized
  %1 = arith.cmpf olt, %x, %0 : f32
  // CHECK: %[[S:.*]] = arith.select %arg3, %[[O]], %{{.*}} : i16
  %2 = arith.select %c, %1, %yes : i1
  // CHECK: memref.store %[[S]]
  memref.store %2, %b[] : memref<i1>
  return
}

// -----

// Values that were used inside a conditional, and are moved outside: found again by what is used in their place.
// CHECK-LABEL: func.func @used_and_moved
// CHECK: mica_check.uninitialized %arg0[%arg2]
func.func @used_and_moved(%a: memref<8xf32> {mica_sched.access = "read"}, %b: memref<8xf32> {mica_sched.access = "write"}, %i: index, %c: i1) {
  %z = arith.constant 0.0 : f32
  %0 = scf.if %c -> (f32) {
    %1 = memref.load %a[%i] : memref<8xf32>
    scf.yield %1 : f32
  } else {
    scf.yield %z : f32
  }
  %2 = arith.negf %0 : f32
  %3 = arith.select %c, %0, %z : f32
  %4 = arith.addf %3, %2 : f32
  memref.store %4, %b[%i] : memref<8xf32>
  return
}
