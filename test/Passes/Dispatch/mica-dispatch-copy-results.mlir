// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-copy-results))' | FileCheck %s

module @exp attributes {mica_sched.kernel} {
  func.func @exp(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
module @grow attributes {mica_sched.kernel} {
  func.func @grow(%o: memref<?x4xf32> {mica_sched.access = "write"}) { return }
}

// MUTATION: stays green, nothing is to be copied.
// CHECK-LABEL: func.func @written_by_a_dispatch
func.func @written_by_a_dispatch(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  // CHECK-NOT: linalg.generic
  %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @argument_and_constant
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
func.func @argument_and_constant(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  // CHECK: %[[C:.*]] = arith.constant
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: %[[R0:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) {{.*}} attrs = {mica_sched.group = 0 : i64}
  // CHECK: %[[R1:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<2xf32>) {{.*}} attrs = {mica_sched.group = 1 : i64}
  // CHECK: return %[[R0]], %[[R1]]
  return %x, %c : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @returned_twice
func.func @returned_twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[D:.*]] = mica_sched.dispatch
  %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[D]] : tensor<4xf32>)
  // CHECK: return %[[D]], %[[R]]
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @out_of_control_flow
func.func @out_of_control_flow(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // CHECK: %[[I:.*]] = scf.if
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[I]] : tensor<4xf32>)
  // CHECK: return %[[R]]
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @view_of_dynamic_size
func.func @view_of_dynamic_size(%n: index) -> tensor<?xf32> {
  %0 = mica_sched.dispatch @grow() sizes(%n) : () -> tensor<?x4xf32>
  // CHECK: %[[V:.*]] = tensor.collapse_shape
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<?xf32>)
  // CHECK: return %[[R]]
  return %1 : tensor<?xf32>
}
