// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert{level=safe}),builtin.module(func.func(mica-check-insert{level=safe})))' | FileCheck %s
// In kernels, level safe checks positions that come from memory or are given; in host functions, every access.

// CHECK-LABEL: func.func @host(
// CHECK: mica_check.in_bounds
func.func @host(%a: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %a[%i] : memref<?xf32>
  return %0 : f32
}

module @k attributes {mica_sched.kernel} {
  // CHECK-LABEL: func.func @k(
  // CHECK-SAME: mica_check.inserted = 6 : i64
  func.func @k(%a: memref<?xf32>, %b: memref<?xindex>, %given: index, %choose: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = arith.constant 1.0 : f32
    %n = memref.dim %a, %c0 : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      // A position of sizes alone.
      // CHECK-NOT: mica_check.in_bounds
      // CHECK: %[[K:.*]] = memref.load %arg1[%{{.*}}] : memref<?xindex>
      %k = memref.load %b[%i] : memref<?xindex>
      memref.store %v, %a[%i] : memref<?xf32>
      // One that was loaded.
      // CHECK: mica_check.in_bounds %arg0[%[[K]]]
      memref.store %v, %a[%k] : memref<?xf32>
      // One that is given.
      // CHECK: mica_check.in_bounds %arg0[%arg2]
      memref.store %v, %a[%given] : memref<?xf32>
      // One that a branch chooses.
      // CHECK: %[[P:.*]] = scf.if %arg3
      // CHECK: mica_check.in_bounds %arg0[%[[P]]]
      %p = scf.if %choose -> index {
        scf.yield %k : index
      } else {
        scf.yield %i : index
      }
      memref.store %v, %a[%p] : memref<?xf32>
      // One of a loop whose bound was loaded.
      // CHECK: scf.for %[[J:.*]] =
      // CHECK: mica_check.in_bounds %arg0[%[[J]]]
      scf.for %j = %c0 to %k step %c1 {
        memref.store %v, %a[%j] : memref<?xf32>
      }
      // What is reached through a view that may lie outside.
      // CHECK: %[[SLICE:.*]] = mica_check.in_bounds %arg0[%[[K]]]
      // CHECK: mica_check.out_of_bounds slice
      // CHECK: mica_check.in_bounds %{{.*}}[%c0]
      // CHECK: mica_check.out_of_bounds store
      %t = memref.subview %a[%k] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      memref.store %v, %t[%c0] : memref<?xf32, strided<[1], offset: ?>>
    }
    return
  }
}
