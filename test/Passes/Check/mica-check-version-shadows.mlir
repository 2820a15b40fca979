// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-version-shadows,canonicalize))' | FileCheck %s

// Without shadows of arguments; a buffer that may not be filled keeps its own, and with it one that may be filled from there.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[X:.*]] = memref.alloca() : memref<8xf32>
// CHECK: %[[PARTLY:.*]] = mica_check.partly
// CHECK: scf.if %[[PARTLY]] {
// CHECK: mica_check.shadow %arg0
// CHECK: mica_check.shadow filled %[[X]]
// CHECK: mica_check.shadow %{{.*}} in
// CHECK: mica_check.uninitialized %arg0
// CHECK: } else {
// CHECK-NOT: mica_check.shadow %arg0
// CHECK: mica_check.shadow filled
// CHECK: mica_check.shadow %{{.*}} in
// CHECK: memref.store %{{.*}} : memref<8xf32>
// CHECK-NOT: mica_check.uninitialized %arg0
func.func @kernel(%a: memref<8xf32> {mica_sched.access = "read"}, %b: memref<8xf32> {mica_sched.access = "write"}, %i: index)
    attributes {mica_check.shadows = 1 : i64, mica_check.reads = 2 : i64} {
  %n = arith.constant 1 : i64
  %x = memref.alloca() : memref<8xf32>
  %m = memref.alloca() : memref<8xi16>
  %y = memref.alloca() : memref<8xf32>
  %k = memref.alloca() : memref<8xi16>
  %origin = mica_check.origin 0
  %s = mica_check.shadow %a : memref<8xf32>
  %f = mica_check.shadow filled %x in %m : memref<8xf32>, memref<8xi16>
  %w = mica_check.shadow %y in %k : memref<8xf32>, memref<8xi16>
  memref.store %origin, %w[%i] : memref<8xi16>
  %0 = memref.load %a[%i] : memref<8xf32>
  %o = memref.load %s[%i] : memref<8xi16>
  memref.store %0, %x[%i] : memref<8xf32>
  memref.store %o, %f[%i] : memref<8xi16>
  %ok = mica_check.initialized %o : i16
  scf.if %ok {
  } else {
    mica_check.uninitialized %a[%i] count %n origin %o {site = 0 : i64} : memref<8xf32>
  }
  %1 = arith.negf %0 : f32
  memref.store %1, %b[%i] : memref<8xf32>
  %2 = memref.load %w[%i] : memref<8xi16>
  %ok2 = mica_check.initialized %2 : i16
  scf.if %ok2 {
  } else {
    mica_check.uninitialized %y[%i] count %n origin %2 {site = 1 : i64} : memref<8xf32>
  }
  return
}

// A kernel whose arguments have no shadows stays as it is.
// MUTATION: stays green, there is nothing to do.
// CHECK-LABEL: func.func @none
// CHECK-NEXT: return
func.func @none(%a: memref<8xf32>) attributes {mica_check.shadows = 0 : i64} {
  return
}

// Where none is left unwritten, what is filled holds what was moved from arguments alone.
// CHECK-LABEL: func.func @only_filled
// CHECK: } else {
// CHECK-NOT: mica_check.shadow
// CHECK: return
func.func @only_filled(%a: memref<8xf32> {mica_sched.access = "read"}, %i: index) attributes {mica_check.shadows = 0 : i64} {
  %x = memref.alloca() : memref<8xf32>
  %m = memref.alloca() : memref<8xi16>
  %s = mica_check.shadow %a : memref<8xf32>
  %f = mica_check.shadow filled %x in %m : memref<8xf32>, memref<8xi16>
  %0 = memref.load %a[%i] : memref<8xf32>
  %o = memref.load %s[%i] : memref<8xi16>
  memref.store %0, %x[%i] : memref<8xf32>
  memref.store %o, %f[%i] : memref<8xi16>
  return
}
