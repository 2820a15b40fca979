// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-remove-shadows,canonicalize))' | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-remove-shadows,mica-check-insert-shadows))' | FileCheck %s --check-prefix=AGAIN

// CHECK-LABEL: func.func @kernel
// CHECK-NOT: mica_check.shadows
// CHECK-NOT: i16
// CHECK: memref.load
// CHECK-NEXT: arith.negf
// CHECK-NEXT: memref.store
// CHECK-NEXT: return

// Inserted again, it is as before.
// AGAIN-LABEL: func.func @kernel
// AGAIN-COUNT-2: mica_check.shadow
// AGAIN: mica_check.uninitialized

// An edit took the store of the value away: that of the shadow goes with it.
// CHECK-LABEL: func.func @edited
// CHECK-NEXT: return
// AGAIN-LABEL: func.func @edited
// AGAIN-NOT: memref.store
// AGAIN: return
func.func @kernel(%a: memref<8xf32> {mica_sched.access = "read"}, %b: memref<8xf32> {mica_sched.access = "write"}, %i: index)
    attributes {mica_check.shadows = 0 : i64, mica_check.reads = 1 : i64} {
  %n = arith.constant 1 : i64
  %written = arith.constant 0 : i16
  %s = mica_check.shadow %a : memref<8xf32>
  %t = mica_check.shadow %b : memref<8xf32>
  %0 = memref.load %a[%i] : memref<8xf32>
  %o = memref.load %s[%i] : memref<8xi16>
  %ok = mica_check.initialized %o : i16
  scf.if %ok {
  } else {
    mica_check.uninitialized %a[%i] count %n origin %o {site = 0 : i64} : memref<8xf32>
  }
  %1 = arith.negf %0 : f32
  memref.store %1, %b[%i] : memref<8xf32>
  memref.store %written, %t[%i] : memref<8xi16>
  return
}

func.func @edited(%b: memref<8xf32> {mica_sched.access = "write"}, %i: index)
    attributes {mica_check.shadows = 0 : i64, mica_check.reads = 0 : i64} {
  %written = arith.constant 0 : i16
  %t = mica_check.shadow %b : memref<8xf32>
  memref.store %written, %t[%i] : memref<8xi16>
  return
}
