// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-probe-floats))' | FileCheck %s

// CHECK-LABEL: func.func @scalars(
// CHECK: %[[L:.*]] = math.log %[[X:.*]] : f32
// CHECK: scf.if
// CHECK: mica_check.failed "math.log 1"(%{{.*}}, %{{.*}} : i64, i64) {mica_check.report = "float"}
// CHECK: arith.divf
// CHECK: mica_check.failed "arith.divf 2"
func.func @scalars(%x: f32, %y: f32) -> f32 {
  %0 = math.log %x : f32
  %1 = arith.divf %0, %y : f32
  return %1 : f32
}

// Nothing originates where floats are moved, or in integers.
// MUTATION: stays green, there is nothing to probe.
// CHECK-LABEL: func.func @moves(
// CHECK-NOT: mica_check
func.func @moves(%x: f32, %c: i1, %i: i32) -> (f32, i32) {
  %0 = arith.negf %x : f32
  %1 = arith.select %c, %0, %x : f32
  %2 = arith.divsi %i, %i : i32
  return %1, %2 : f32, i32
}
