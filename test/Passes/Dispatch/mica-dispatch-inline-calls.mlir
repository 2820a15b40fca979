// RUN: mica-opt %s --mica-dispatch-inline-calls --mlir-print-debuginfo --mlir-print-local-scope --split-input-file | FileCheck %s
// What upstream's pass makes is the same, but for functions that are left:
// RUN: mica-opt %s --mica-dispatch-inline-calls --symbol-dce --mlir-print-debuginfo --mlir-print-local-scope --split-input-file > %t.ours
// RUN: mica-opt %s --inline="default-pipeline=" --symbol-dce --mlir-print-debuginfo --mlir-print-local-scope --split-input-file > %t.upstream
// RUN: diff %t.ours %t.upstream

// Two levels: @g is moved, @f cloned for its first call and moved for its second. Paths are read from the op outwards.
// CHECK-LABEL: func.func @levels
// CHECK-NEXT:    math.tanh %arg0 : f32 loc(callsite("tanh" at callsite("in f" at "first")))
// CHECK-NEXT:    math.tanh %{{.*}} : f32 loc(callsite("tanh" at callsite("in f" at callsite("frame" at "second"))))
// CHECK-NEXT:    return
// CHECK-NOT:     func.func private @f
func.func @levels(%x: f32) -> f32 {
  %0 = call @f(%x) : (f32) -> f32 loc("first")
  %1 = call @f(%0) : (f32) -> f32 loc(callsite("frame" at "second"))
  return %1 : f32
}
func.func private @f(%x: f32) -> f32 {
  %0 = call @g(%x) : (f32) -> f32 loc("in f")
  return %0 : f32
}
func.func private @g(%x: f32) -> f32 {
  %0 = math.tanh %x : f32 loc("tanh")
  return %0 : f32
}

// -----

// What an op has inside is extended too, and a function that returns its argument is its operand.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    scf.for %{{.*}} = %arg1 to %arg2 step %arg2 iter_args(%{{.*}} = %arg0) -> (f32) {
// CHECK-NEXT:      math.tanh %{{.*}} loc(callsite("inside" at "call"))
// CHECK:         } loc(callsite("loop" at "call"))
// CHECK-NEXT:    return
func.func @regions(%x: f32, %i: index, %n: index) -> f32 {
  %0 = call @loop(%x, %i, %n) : (f32, index, index) -> f32 loc("call")
  %1 = call @same(%0) : (f32) -> f32
  return %1 : f32
}
func.func private @loop(%x: f32, %i: index, %n: index) -> f32 {
  %0 = scf.for %k = %i to %n step %n iter_args(%a = %x) -> (f32) {
    %1 = math.tanh %a : f32 loc("inside")
    scf.yield %1 : f32
  } loc("loop")
  return %0 : f32
}
func.func private @same(%x: f32) -> f32 {
  return %x : f32
}

// -----

// Several blocks are inlined where an op may hold several, and calls of theirs.
// CHECK-LABEL: func.func @blocks
// CHECK:         cf.cond_br %arg1
// CHECK:         math.tanh
// CHECK:         scf.if
// CHECK:           func.call @choose
// CHECK:       func.func private @choose
func.func @blocks(%x: f32, %c: i1, %d: i1) -> f32 {
  %0 = call @choose(%x, %c) : (f32, i1) -> f32
  %1 = scf.if %d -> (f32) {
    %2 = func.call @choose(%0, %c) : (f32, i1) -> f32
    scf.yield %2 : f32
  } else {
    scf.yield %0 : f32
  }
  return %1 : f32
}
func.func private @choose(%x: f32, %c: i1) -> f32 {
  cf.cond_br %c, ^a(%x : f32), ^b
^b:
  %0 = call @tanh(%x) : (f32) -> f32
  cf.br ^a(%0 : f32)
^a(%y: f32):
  return %y : f32
}
func.func private @tanh(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}

// -----

// Calls that stay: of declarations, of functions that call themselves, and where the call or the function says so. What
// they call is inlined into them.
// CHECK-LABEL: func.func @stay
// CHECK-NEXT:    call @declared
// CHECK-NEXT:    call @again
// CHECK-NEXT:    call @shy
// CHECK-NEXT:    return
// CHECK:       func.func private @shy
// CHECK-NEXT:    math.tanh
func.func @stay(%x: f32) -> f32 {
  %0 = call @declared(%x) : (f32) -> f32
  %1 = call @again(%0) : (f32) -> f32
  %2 = call @shy(%1) : (f32) -> f32
  return %2 : f32
}
func.func private @declared(f32) -> f32
func.func private @again(%x: f32) -> f32 {
  %0 = call @again(%x) : (f32) -> f32
  return %0 : f32
}
func.func private @shy(%x: f32) -> f32 attributes {no_inline} {
  %0 = call @tanh(%x) : (f32) -> f32
  return %0 : f32
}
func.func private @tanh(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}

// -----

// A function that something else names is not moved.
// CHECK-LABEL: func.func @named
// CHECK-NEXT:    constant @tanh
// CHECK-NEXT:    math.tanh
// CHECK:       func.func private @tanh
// CHECK-NEXT:    math.tanh
func.func @named(%x: f32) -> (f32, (f32) -> f32) {
  %f = constant @tanh : (f32) -> f32
  %0 = call @tanh(%x) : (f32) -> f32
  return %0, %f : f32, (f32) -> f32
}
func.func private @tanh(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}
