// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-watch-loops))' | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-watch-loops{kernels=true}))' | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: func.func @pure(
// KERNEL-LABEL: func.func @pure(
// KERNEL-SAME: mica_check.inserted = 0
// KERNEL: mica_check.failed "pure i"
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i64, i64) -> (i64, i64)
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : i64, i64
// CHECK: ^bb0(%[[I:.*]]: i64, %[[N:.*]]: i64):
// CHECK: %[[PLACE:.*]] = arith.andi %[[N]]
// CHECK: %[[DUE:.*]] = arith.cmpi uge, %[[PLACE]]
// CHECK: scf.if %[[DUE]]
// CHECK: mica_check.failed "pure i"(%[[N]], %[[I]] : i64, i64) {mica_check.report = "loop"}
// CHECK: %[[NEXT:.*]] = arith.addi %[[N]]
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
func.func @pure(%n: i64, %s: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %1 = arith.addi %i, %s : i64
    scf.yield %1 : i64
  }
  return %r : i64
}

// What it goes by is in memory.
// CHECK-LABEL: func.func @memory(
// CHECK: mica_check.failed "memory "(%{{.*}} : i64) {mica_check.report = "loop"}
func.func @memory(%m: memref<i64>, %n: i64) {
  scf.while : () -> () {
    %v = memref.load %m[] : memref<i64>
    %c = arith.cmpi slt, %v, %n : i64
    scf.condition(%c)
  } do {
    %v = memref.load %m[] : memref<i64>
    %w = arith.addi %v, %v : i64
    memref.store %w, %m[] : memref<i64>
    scf.yield
  }
  return
}

// The bits of a float; the loop inside of another is counted with it.
// CHECK-LABEL: func.func @nested(
// KERNEL-LABEL: func.func @nested(
// KERNEL-NOT: mica_check
// CHECK: scf.for
// CHECK: mica_check.failed "pure if"(%{{.*}}, %{{.*}}, %{{.*}} : i64, index, i64)
// CHECK: scf.for
// CHECK-NOT: mica_check.failed
func.func @nested(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> f32 {
      %2 = arith.addf %b, %x : f32
      scf.yield %2 : f32
    }
    scf.yield %1 : f32
  }
  return %0 : f32
}

// A loop that only moves memory stays one for LLVM's vectors, and short ones are no question.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @left(
// CHECK-NOT: mica_check.failed
func.func @left(%m: memref<?xf32>, %n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %m[%i] : memref<?xf32>
  }
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %k) -> i64 {
    %1 = arith.muli %a, %a : i64
    scf.yield %1 : i64
  }
  return %r : i64
}

// A loop that submits task lists reports the scalars that it carries beside the buffers, in every iteration, an scf.for also its index; an
// scf.while without scalars is left to the submissions.
// CHECK-LABEL: func.func @launching(
// KERNEL-LABEL: func.func @launching(
// CHECK: ^bb0(%[[I:.*]]: i64, %[[T:.*]]: memref<4xf32>, %[[N:.*]]: i64):
// CHECK-NEXT: mica_check.failed "launches i"(%[[N]], %[[I]] : i64, i64) {mica_check.report = "loop"}
// CHECK: mica_sched.submit
// CHECK-LABEL: func.func @with_an_index(
// CHECK: scf.for %[[INDEX:.*]] = {{.*}} iter_args(%{{.*}}, %[[COUNT:.*]] = %
// CHECK-NEXT: mica_check.failed "launches n"(%[[COUNT]], %[[INDEX]] : i64, index) {mica_check.report = "loop"}
// MUTATION: stays green, there is nothing to report
// CHECK-LABEL: func.func @without_scalars(
// CHECK-NOT: mica_check.failed
mica_sched.task_list @step(%t: memref<4xf32>) arena 0 {}
func.func @launching(%n: i64, %m: memref<4xf32>) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%i = %n, %t = %m) : (i64, memref<4xf32>) -> (i64, memref<4xf32>) {
    %c = arith.cmpi ne, %i, %zero : i64
    scf.condition(%c) %i, %t : i64, memref<4xf32>
  } do {
  ^bb0(%i: i64, %t: memref<4xf32>):
    mica_sched.submit @step(%t) : memref<4xf32>
    %k = arith.subi %i, %one : i64
    scf.yield %k, %t : i64, memref<4xf32>
  }
  return %r#0 : i64
}
func.func @with_an_index(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %m) -> memref<4xf32> {
    mica_sched.submit @step(%t) : memref<4xf32>
    scf.yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @without_scalars(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.while (%t = %m) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%c) %t : memref<4xf32>
  } do {
  ^bb0(%t: memref<4xf32>):
    mica_sched.submit @step(%t) : memref<4xf32>
    scf.yield %t : memref<4xf32>
  }
  return %r : memref<4xf32>
}
