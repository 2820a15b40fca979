// Accesses are checked once before their loops, which run in a version without these checks where all are in bounds.
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-version))' --split-input-file | FileCheck %s

// CHECK: #[[LESS_ONE:.*]] = affine_map<()[s0] -> (s0 - 1)>
// CHECK-LABEL: @one_loop
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[N:.*]]: index
func.func @one_loop(%a: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // %n + 2^40 <u 2^41 and %n - 1 < size
  // CHECK-DAG: %[[MOST:.*]] = affine.apply #[[LESS_ONE]]()[%[[N]]]
  // CHECK-DAG: arith.addi %[[N]], %{{.*}} : index
  // CHECK-DAG: arith.cmpi ult
  // CHECK-DAG: %[[SIZE:.*]] = memref.dim %[[A]]
  // CHECK-DAG: arith.cmpi slt, %[[MOST]], %[[SIZE]]
  // CHECK: scf.if
  // CHECK-NEXT: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[A]][%[[I]]]
  // CHECK: else
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: mica_check.in_bounds
  // CHECK: mica_check.out_of_bounds
  scf.for %i = %c0 to %n step %c1 {
    %ok = mica_check.in_bounds %a[%i] : memref<?xf32>
    scf.if %ok {
      memref.store %v, %a[%i] : memref<?xf32>
    } else {
      mica_check.out_of_bounds store %a[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A position that counts down is smallest in the last iteration, which a step does not reach at the end of the loop.
// CHECK-DAG: #[[LAST_TURN:.*]] = affine_map<(d0, d1) -> (d0 + ((d1 - d0 - 1) floordiv 3) * 3)>
// CHECK-DAG: #[[FROM_END:.*]] = affine_map<()[s0] -> (-s0 + 7)>
// CHECK-LABEL: @backwards
// CHECK-SAME: %[[A:.*]]: memref<8xf32>, %[[N:.*]]: index
func.func @backwards(%a: memref<8xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  // CHECK: %[[LAST:.*]] = affine.apply #[[LAST_TURN]](%{{.*}}, %[[N]])
  // CHECK: %[[LEAST:.*]] = affine.apply #[[FROM_END]]()[%[[LAST]]]
  // CHECK: arith.cmpi sge, %[[LEAST]]
  // CHECK: scf.if
  scf.for %i = %c0 to %n step %c3 {
    %j = affine.apply affine_map<(d0) -> (7 - d0)>(%i)
    %ok = mica_check.in_bounds %a[%j] : memref<8xf32>
    scf.if %ok {
      memref.store %v, %a[%j] : memref<8xf32>
    } else {
      mica_check.out_of_bounds store %a[%j] : memref<8xf32>
    }
  }
  return
}

// -----

// A position that is loaded stays checked in both versions; alone, it makes no versions.
// CHECK-LABEL: @loaded
// CHECK: scf.if
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[P:.*]] = memref.load
// CHECK-NOT: mica_check.out_of_bounds load
// CHECK: mica_check.in_bounds %{{.*}}[%[[P]]]
// CHECK: else
// CHECK: mica_check.out_of_bounds load
// CHECK: mica_check.out_of_bounds store
func.func @loaded(%a: memref<?xf32>, %p: memref<?xindex>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %inside = mica_check.in_bounds %p[%i] : memref<?xindex>
    %j = scf.if %inside -> (index) {
      %loaded = memref.load %p[%i] : memref<?xindex>
      scf.yield %loaded : index
    } else {
      mica_check.out_of_bounds load %p[%i] : memref<?xindex>
      scf.yield %c0 : index
    }
    %ok = mica_check.in_bounds %a[%j] : memref<?xf32>
    scf.if %ok {
      memref.store %v, %a[%j] : memref<?xf32>
    } else {
      mica_check.out_of_bounds store %a[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: @only_loaded
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @only_loaded(%a: memref<?xf32>, %p: memref<4xindex>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = memref.load %p[%i] : memref<4xindex>
    %ok = mica_check.in_bounds %a[%j] : memref<?xf32>
    scf.if %ok {
      memref.store %v, %a[%j] : memref<?xf32>
    } else {
      mica_check.out_of_bounds store %a[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// A factor with which the largest position could wrap is no reason to trust it.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: @wraps
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @wraps(%a: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = affine.apply affine_map<(d0) -> (d0 * 4294967296)>(%i)
    %ok = mica_check.in_bounds %a[%j] : memref<?xf32>
    scf.if %ok {
      memref.store %v, %a[%j] : memref<?xf32>
    } else {
      mica_check.out_of_bounds store %a[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// What is used after the loops is computed in both versions.
// CHECK-LABEL: @used_after
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<f32>
// CHECK: else
// CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<f32>
func.func @used_after(%a: memref<?xf32>, %r: memref<f32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (f32) {
    %ok = mica_check.in_bounds %a[%i] : memref<?xf32>
    %x = scf.if %ok -> (f32) {
      %loaded = memref.load %a[%i] : memref<?xf32>
      scf.yield %loaded : f32
    } else {
      mica_check.out_of_bounds load %a[%i] : memref<?xf32>
      scf.yield %v : f32
    }
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  memref.store %sum, %r[] : memref<f32>
  return
}

// -----

// The check of a view is in the condition, so that the version without checks asks for it no more.
// CHECK-LABEL: func.func @through_a_view
// CHECK: %[[VIEW_OK:.*]] = mica_check.in_bounds %{{.*}} sizes
// CHECK: %[[ALL:.*]] = arith.andi %[[VIEW_OK]], %{{.*}} : i1
// CHECK: scf.if
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: scf.for
// CHECK: arith.andi %{{.*}}, %[[TRUE]] : i1
// CHECK: } else {
// CHECK: arith.andi %{{.*}}, %[[VIEW_OK]] : i1
func.func @through_a_view(%m: memref<?xf32>, %o: memref<?xf32>, %at: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.0 : f32
  %ok = mica_check.in_bounds %m[%at] sizes(%n) : memref<?xf32>
  %v = memref.subview %m[%at] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %in = mica_check.in_bounds %v[%i] : memref<8xf32, strided<[1], offset: ?>>
    %both = arith.andi %in, %ok : i1
    %x = scf.if %both -> f32 {
      %y = memref.load %v[%i] : memref<8xf32, strided<[1], offset: ?>>
      scf.yield %y : f32
    } else {
      mica_check.out_of_bounds load %v[%i] {site = 0 : i64} : memref<8xf32, strided<[1], offset: ?>>
      scf.yield %cst : f32
    }
    memref.store %x, %o[%i] : memref<?xf32>
  }
  return
}
