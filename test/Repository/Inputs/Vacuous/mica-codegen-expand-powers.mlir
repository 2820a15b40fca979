// Tests of a pass that do not notice that it is missing, for mutation-check.test.
// RUN: mica-opt %s --mica-codegen-expand-powers | FileCheck %s
// RUN: mica-opt %s --mica-codegen-expand-powers | FileCheck %s --check-prefix=LOOSE
// MUTATION: stays green, this mark is wrong.
// RUN: mica-opt %s --mica-codegen-expand-powers | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func @noticed(
// CHECK-NOT: math.fpowi
// STRICT-LABEL: func.func @noticed(
// STRICT-NOT: math.fpowi
func.func @noticed(%x: f32) -> f32 {
  %two = arith.constant 2 : i32
  %0 = math.fpowi %x, %two : f32, i32
  return %0 : f32
}

// CHECK-LABEL: func.func @vacuous(
// CHECK: return
// LOOSE: func.func @vacuous(
func.func @vacuous(%x: f32) -> f32 {
  %two = arith.constant 2 : i32
  %0 = math.fpowi %x, %two : f32, i32
  return %0 : f32
}

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @marked(
// CHECK: math.exp
func.func @marked(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// MUTATION: stays green, this mark is wrong.
// CHECK-LABEL: func.func @marked_wrongly(
// CHECK-NOT: math.fpowi
func.func @marked_wrongly(%x: f32) -> f32 {
  %two = arith.constant 2 : i32
  %0 = math.fpowi %x, %two : f32, i32
  return %0 : f32
}
