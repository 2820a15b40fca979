// RUN: mica-opt %s --verify-roundtrip
// RUN: mica-opt %s | FileCheck %s

// CHECK-LABEL: func.func @predicates
func.func @predicates(%a: memref<4x?xf32>, %i: index, %n: vector<4xi32>, %x: i64) {
  // CHECK: mica_check.in_bounds %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x?xf32>
  %0 = mica_check.in_bounds %a[%i, %i] : memref<4x?xf32>
  // CHECK: mica_check.in_bounds %{{.*}}[%{{.*}}, %{{.*}}] sizes(%{{.*}}, %{{.*}}) : memref<4x?xf32>
  %1 = mica_check.in_bounds %a[%i, %i] sizes(%i, %i) : memref<4x?xf32>
  // CHECK: mica_check.divisible signed %{{.*}}, %{{.*}} : vector<4xi32>
  %2 = mica_check.divisible signed %n, %n : vector<4xi32>
  // CHECK: mica_check.divisible %{{.*}}, %{{.*}} : i64
  %3 = mica_check.divisible %x, %x : i64
  // CHECK: mica_check.shiftable %{{.*}} : vector<4xi32>
  %4 = mica_check.shiftable %n : vector<4xi32>
  return
}

// CHECK-LABEL: func.func @reports
func.func @reports(%a: memref<4x?xf32>, %s: memref<f32>, %i: index, %x: i8) {
  // CHECK: mica_check.out_of_bounds load %{{.*}}[%{{.*}}, %{{.*}}] {site = 0 : i64} : memref<4x?xf32>
  mica_check.out_of_bounds load %a[%i, %i] {site = 0 : i64} : memref<4x?xf32>
  // CHECK: mica_check.out_of_bounds store %{{.*}}[] : memref<f32>
  mica_check.out_of_bounds store %s[] : memref<f32>
  // CHECK: mica_check.out_of_bounds slice %{{.*}}[%{{.*}}, %{{.*}}] sizes(%{{.*}}, %{{.*}}) : memref<4x?xf32>
  mica_check.out_of_bounds slice %a[%i, %i] sizes(%i, %i) : memref<4x?xf32>
  // CHECK: mica_check.failed "division by zero"(%{{.*}}, %{{.*}} : i8, index) {site = 1 : i64}
  mica_check.failed "division by zero" (%x, %i : i8, index) {site = 1 : i64}
  // CHECK: mica_check.failed "sizes differ"
  mica_check.failed "sizes differ"
  return
}

// CHECK-LABEL: func.func @shadows
func.func @shadows(%a: memref<4x?xf32, strided<[?, 1]>>, %n: index, %count: i64) {
  // CHECK: %[[S:.*]] = mica_check.shadow %{{.*}} : memref<4x?xf32, strided<[?, 1]>>
  %s = mica_check.shadow %a : memref<4x?xf32, strided<[?, 1]>>
  %b = memref.alloc(%n) : memref<?xi1>
  %m = memref.alloc(%n) : memref<?xi16>
  // CHECK: mica_check.shadow %{{.*}} in %{{.*}} : memref<?xi1>, memref<?xi16>
  %t = mica_check.shadow %b in %m : memref<?xi1>, memref<?xi16>
  // CHECK: mica_check.shadow filled %{{.*}} in
  %f = mica_check.shadow filled %b in %m : memref<?xi1>, memref<?xi16>
  // CHECK: memref.load %[[S]][{{.*}}] : memref<4x?xi16, strided<[?, 1]>>
  %o = memref.load %s[%n, %n] : memref<4x?xi16, strided<[?, 1]>>
  // CHECK: mica_check.initialized %{{.*}} : i16
  %0 = mica_check.initialized %o : i16
  // CHECK: mica_check.origin 3
  %1 = mica_check.origin 3
  // CHECK: mica_check.partly
  %2 = mica_check.partly
  // CHECK: mica_check.uninitialized %{{.*}}[%{{.*}}, %{{.*}}] count %{{.*}} origin %{{.*}} : memref<4x?xf32
  mica_check.uninitialized %a[%n, %n] count %count origin %1 : memref<4x?xf32, strided<[?, 1]>>
  // CHECK: mica_check.not_finite nan %{{.*}}[%{{.*}}, %{{.*}}] {site = 2 : i64} : memref<4x?xf32
  mica_check.not_finite nan %a[%n, %n] {site = 2 : i64} : memref<4x?xf32, strided<[?, 1]>>
  // CHECK: mica_check.not_finite infinity %{{.*}}[] : memref<4x?xf32
  mica_check.not_finite infinity %a[] : memref<4x?xf32, strided<[?, 1]>>
  return
}
