// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-number))' --remarks-filter=checks 2>&1 | FileCheck %s

// CHECK: remark: {{.*}}site 0 of f is checked while it runs: load of a buffer
// CHECK: remark: {{.*}}site 1 of f is checked while it runs: 'division by zero'
// CHECK: remark: {{.*}}f: 3 checks proved, 2 kept, 1 operations not checkable

// Uses count beside the rest.
// CHECK: remark: {{.*}}site 0 of g is checked while it runs: use of what may not be written
// CHECK: remark: {{.*}}g: 3 checks proved, 1 kept, 0 operations not checkable

// CHECK: remark: {{.*}}site 1 of h is checked while it runs: store of a buffer
// CHECK: remark: {{.*}}h: 0 checks proved, 1 kept, 0 operations not checkable

// CHECK-LABEL: func.func @f(%arg0
// CHECK-SAME: mica_check.sites = 2 : i64
func.func @f(%a: memref<?xf32>, %i: index) attributes {mica_check.inserted = 5 : i64, mica_check.unchecked = 1 : i64} {
  // CHECK: mica_check.out_of_bounds load {{.*}} {site = 0 : i64}
  mica_check.out_of_bounds load %a[%i] : memref<?xf32>
  // CHECK: mica_check.failed "division by zero" {site = 1 : i64}
  mica_check.failed "division by zero"
  return
}

// CHECK-LABEL: func.func @g(%arg0
// CHECK-SAME: mica_check.sites = 1 : i64
func.func @g(%a: memref<f32>, %n: i64, %o: i16) attributes {mica_check.inserted = 2 : i64, mica_check.reads = 2 : i64, mica_check.shadows = 0 : i64} {
  // CHECK: mica_check.uninitialized {{.*}} {site = 0 : i64}
  mica_check.uninitialized %a[] count %n origin %o : memref<f32>
  return
}

// What nan-check finds has a site and is no check.
// CHECK-LABEL: func.func @h(%arg0
// CHECK-SAME: mica_check.sites = 2 : i64
func.func @h(%a: memref<?xf32>, %i: index) attributes {mica_check.inserted = 1 : i64} {
  // CHECK: mica_check.not_finite nan {{.*}} {site = 0 : i64}
  mica_check.not_finite nan %a[%i] : memref<?xf32>
  // CHECK: mica_check.out_of_bounds store {{.*}} {site = 1 : i64}
  mica_check.out_of_bounds store %a[%i] : memref<?xf32>
  return
}
