// RUN: mica-opt %s --mica-dispatch-inline-calls | FileCheck %s

// A condition that its own caller has tested is a constant.
// CHECK-LABEL: func.func @conditions
// CHECK-NEXT:    %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    scf.if %arg1
// CHECK-NEXT:      scf.if %[[TRUE]]
func.func @conditions(%x: f32, %c: i1) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = func.call @perhaps(%x, %c) : (f32, i1) -> f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  return %0 : f32
}
func.func private @perhaps(%x: f32, %c: i1) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = math.tanh %x : f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  return %0 : f32
}
