// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-insert-inplace-copies))' | FileCheck %s

module @exp attributes {mica_sched.kernel} {
  func.func @exp(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
module @put attributes {mica_sched.kernel} {
  func.func @put(%o: memref<4xf32> {mica_sched.access = "readwrite"}, %x: memref<4xf32> {mica_sched.access = "read"}) { return }
}

// CHECK-LABEL: func.func @argument_is_copied
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>)
func.func @argument_is_copied(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) {{.*}} attrs = {mica_sched.group = 0 : i64}
  // CHECK: mica_sched.dispatch @put(%[[C]], %[[X]])
  %0 = mica_sched.dispatch @put(%x, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Read before, through a view, and changed twice: all in the first dispatch's memory.
// MUTATION: stays green, nothing is to be copied.
// CHECK-LABEL: func.func @own_memory_is_not
func.func @own_memory_is_not(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NOT: linalg.generic
  %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %f = tensor.collapse_shape %v [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %1 = mica_sched.dispatch @exp(%f) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mica_sched.dispatch @put(%0, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = mica_sched.dispatch @put(%2, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @needed_again
func.func @needed_again(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[E:.*]] = mica_sched.dispatch @exp
  %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<4xf32>)
  // CHECK: mica_sched.dispatch @put(%[[C]],
  %1 = mica_sched.dispatch @put(%0, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// One copy, of the initial value, before the loop.
// CHECK-LABEL: func.func @carried
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[N:.*]]: index)
func.func @carried(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>)
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[C]])
  // CHECK-NOT: linalg.generic
  // CHECK: mica_sched.dispatch @put(%[[A]],
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %1 = mica_sched.dispatch @put(%a, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The two change places: each iteration's next value is not its own.
// CHECK-LABEL: func.func @swapped
func.func @swapped(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  // CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4xf32>)
  // CHECK: mica_sched.dispatch @put(%[[C]],
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = mica_sched.dispatch @put(%a, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @carried_by_while
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[B:.*]]: i1)
func.func @carried_by_while(%x: tensor<4xf32>, %b: i1) -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>)
  // CHECK: scf.while (%{{.*}} = %[[C]])
  // CHECK-NOT: linalg.generic
  // CHECK: return
  %0 = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%b) %a : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %1 = mica_sched.dispatch @put(%a, %x) {updates = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
