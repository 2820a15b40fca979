// Ops with regions are merged where these are equal; among many of them: test/Integration/large-programs.test.
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-tensor-merge-equal-ops))' | FileCheck %s

// CHECK-LABEL: @two
// CHECK: %[[IF:.*]] = scf.if
// CHECK-NOT: scf.if
// CHECK: arith.addf %[[IF]], %[[IF]]
func.func @two(%c: i1, %x: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    %a = math.exp %x : f32
    scf.yield %a : f32
  } else {
    scf.yield %x : f32
  }
  %1 = scf.if %c -> (f32) {
    %a = math.exp %x : f32
    scf.yield %a : f32
  } else {
    scf.yield %x : f32
  }
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
