// RUN: mica-opt %s --split-input-file --pass-pipeline='builtin.module(mica-schedule-form-task-lists,func.func(canonicalize,cse))' \
// RUN:   | FileCheck %s

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}
module @add attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000b"]} {
  func.func @add(%x: memref<16xf32> {mica_sched.access = "read"}, %y: memref<16xf32> {mica_sched.access = "read"},
                 %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}

// A chain: a buffer is used again when its last reader is done; the last task writes the result itself. Edges that follow from
// others are left out.
// CHECK: mica_sched.task_list @chain_0(%[[X:.*]]: memref<16xf32>, %[[R:.*]]: memref<16xf32>) arena 128 {
// CHECK: %[[A:.*]] = mica_sched.arena 0 : memref<16xf32>
// CHECK: %[[T0:.*]] = mica_sched.task @exp(%[[X]], %[[A]]) {op_ids = ["000000000001"]}
// CHECK: %[[B:.*]] = mica_sched.arena 64 : memref<16xf32>
// CHECK: %[[T1:.*]] = mica_sched.task @exp(%[[A]], %[[B]]) after(%[[T0]]) {op_ids = ["000000000002"]}
// CHECK: %[[AGAIN:.*]] = mica_sched.arena 0 : memref<16xf32>
// CHECK: %[[T2:.*]] = mica_sched.task @exp(%[[B]], %[[AGAIN]]) after(%[[T1]]) {op_ids = ["000000000003"]}
// CHECK: mica_sched.task @add(%[[AGAIN]], %[[X]], %[[R]]) after(%[[T2]]) {op_ids = ["000000000004"]}
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: memref<16xf32>) -> memref<16xf32> attributes {mica_sched.entry}
// CHECK: %[[R:.*]] = mica_sched.result 0 : memref<16xf32>
// CHECK: mica_sched.submit @chain_0(%[[X]], %[[R]]) : memref<16xf32>, memref<16xf32>
// CHECK: return %[[R]]
func.func @chain(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = mica_sched.dispatch @exp(%x) {op_ids = ["000000000001"]} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = mica_sched.dispatch @exp(%0) {op_ids = ["000000000002"]} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = mica_sched.dispatch @exp(%1) {op_ids = ["000000000003"]} : (tensor<16xf32>) -> tensor<16xf32>
  %3 = mica_sched.dispatch @add(%2, %x) {op_ids = ["000000000004"]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}
module @add attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000b"]} {
  func.func @add(%x: memref<16xf32> {mica_sched.access = "read"}, %y: memref<16xf32> {mica_sched.access = "read"},
                 %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}

// What overwrites memory waits for its readers: the third task writes where the first wrote and the second read.
// CHECK: mica_sched.task_list @overwriting_waits_0
// CHECK: %[[T0:.*]] = mica_sched.task @exp(%{{.*}}, %[[A:.*]]) {op_ids = ["000000000001"]}
// CHECK: %[[T1:.*]] = mica_sched.task @exp(%[[A]], %{{.*}}) after(%[[T0]]) {op_ids = ["000000000002"]}
// CHECK: %[[T2:.*]] = mica_sched.task @exp(%{{.*}}, %{{.*}}) after(%[[T1]]) {op_ids = ["000000000003"]}
// CHECK: mica_sched.task @exp(%{{.*}}, %{{.*}}) after(%[[T2]]) {op_ids = ["000000000004"]}
func.func @overwriting_waits(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = mica_sched.dispatch @exp(%x) {op_ids = ["000000000001"]} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = mica_sched.dispatch @exp(%0) {op_ids = ["000000000002"]} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = mica_sched.dispatch @exp(%x) {op_ids = ["000000000003"]} : (tensor<16xf32>) -> tensor<16xf32>
  %3 = mica_sched.dispatch @exp(%2) {op_ids = ["000000000004"]} : (tensor<16xf32>) -> tensor<16xf32>
  return %1, %3 : tensor<16xf32>, tensor<16xf32>
}

// -----

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}
module @exp_2d attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp_2d(%x: memref<4x4xf32> {mica_sched.access = "read"}, %o: memref<4x4xf32> {mica_sched.access = "write"}) { return }
}

// Reshapes are views: of an argument, of a buffer of the list, of a result.
// CHECK: mica_sched.task_list @views_0(%[[X:.*]]: memref<2x8xf32>, %[[R:.*]]: memref<4x4xf32>) arena 64 {
// CHECK: %[[XV:.*]] = mica_sched.view %[[X]] at 0 : memref<2x8xf32> to memref<16xf32>
// CHECK: %[[A:.*]] = mica_sched.arena 0 : memref<16xf32>
// CHECK: mica_sched.task @exp(%[[XV]], %[[A]])
// CHECK: %[[AV:.*]] = mica_sched.view %[[A]] at 0 : memref<16xf32> to memref<4x4xf32>
// CHECK: mica_sched.task @exp_2d(%[[AV]], %[[R]])
// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[X:.*]]: memref<2x8xf32>) -> memref<16xf32>
// CHECK: %[[R:.*]] = mica_sched.result 0 : memref<16xf32>
// CHECK: %[[RV:.*]] = mica_sched.view %[[R]] at 0 : memref<16xf32> to memref<4x4xf32>
// CHECK: mica_sched.submit @views_0(%[[X]], %[[RV]])
// CHECK: return %[[R]]
func.func @views(%x: tensor<2x8xf32>) -> tensor<16xf32> {
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
  %0 = mica_sched.dispatch @exp(%v) {op_ids = ["000000000001"]} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %2 = mica_sched.dispatch @exp_2d(%1) {op_ids = ["000000000002"]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

module @add attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000b"]} {
  func.func @add(%x: memref<2xf32> {mica_sched.access = "read"}, %y: memref<2xf32> {mica_sched.access = "read"},
                 %o: memref<2xf32> {mica_sched.access = "write"}) { return }
}

// A constant is a buffer of the list; a tensor made of scalars is stored by the host.
// CHECK: mica_sched.task_list @constants_0(%[[M:.*]]: memref<2xf32>, %[[R:.*]]: memref<2xf32>) arena 0 {
// CHECK: %[[C:.*]] = mica_sched.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> -> memref<2xf32>
// CHECK: mica_sched.task @add(%[[C]], %[[M]], %[[R]])
// CHECK-LABEL: func.func @constants
// CHECK-SAME: (%[[S:.*]]: f32)
// CHECK: %[[M:.*]] = mica_sched.alloc : memref<2xf32>
// CHECK: memref.store %[[S]], %[[M]][%c0{{.*}}] : memref<2xf32>
// CHECK: memref.store %[[S]], %[[M]][%c1{{.*}}] : memref<2xf32>
// CHECK: mica_sched.submit @constants_0(%[[M]], %{{.*}})
func.func @constants(%s: f32) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %m = tensor.from_elements %s, %s : tensor<2xf32>
  %0 = mica_sched.dispatch @add(%c, %m) {op_ids = ["000000000001"]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

module @grow attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @grow(%x: memref<?x4xf32> {mica_sched.access = "read"}, %o: memref<?x4xf32> {mica_sched.access = "write"}, %n: i32) { return }
}

// Sizes are scalars of the list, and so is what a buffer takes; a kernel's own scalars are widened.
// CHECK: mica_sched.task_list @dynamic_0(%[[X:.*]]: memref<?x4xf32>, %[[R:.*]]: memref<?x4xf32>, %[[D:[^ ]*]]: index, %[[M:[^ ]*]]: index, %[[N:[^ ]*]]: index, %[[B:[^ ]*]]: index) arena 0 {
// CHECK: %[[T:.*]] = mica_sched.dynamic %[[B]] : memref<?x4xf32>
// CHECK: %[[T0:.*]] = mica_sched.task @grow(%[[X]], %[[T]]) scalars(%[[D]], %[[M]], %[[N]]) {
// CHECK: mica_sched.task @grow(%[[T]], %[[R]]) scalars(%[[M]], %[[M]], %[[N]]) after(%[[T0]])
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[X:.*]]: memref<?x4xf32>, %[[M:.*]]: index, %[[N:.*]]: i32)
// CHECK-DAG: %[[D:.*]] = memref.dim %[[X]]
// CHECK-DAG: %[[R:.*]] = mica_sched.result 0 sizes(%[[M]]) : memref<?x4xf32>
// CHECK-DAG: %[[NI:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK-DAG: %[[B:.*]] = mica_sched.byte_size sizes(%[[M]]) : memref<?x4xf32>
// CHECK: mica_sched.submit @dynamic_0(%[[X]], %[[R]]) scalars(%[[D]], %[[M]], %[[NI]], %[[B]])
func.func @dynamic(%x: tensor<?x4xf32>, %m: index, %n: i32) -> tensor<?x4xf32> {
  %0 = mica_sched.dispatch @grow(%x) scalars(%n) sizes(%m) {op_ids = ["000000000001"]} : (tensor<?x4xf32>, i32) -> tensor<?x4xf32>
  %1 = mica_sched.dispatch @grow(%0) scalars(%n) sizes(%m) {op_ids = ["000000000002"]} : (tensor<?x4xf32>, i32) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

module @next attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @next(%x: memref<i32> {mica_sched.access = "read"}, %o: memref<i32> {mica_sched.access = "write"}) { return }
}
module @less attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000b"]} {
  func.func @less(%x: memref<i32> {mica_sched.access = "read"}, %o: memref<i1> {mica_sched.access = "write"}) { return }
}

// A list on each side of the condition; the host waits before it reads.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: memref<i32>)
// CHECK: %[[W:.*]] = scf.while (%[[I:.*]] = %[[X]]) : (memref<i32>) -> memref<i32> {
// CHECK:   %[[C:.*]] = mica_sched.alloc : memref<i1>
// CHECK:   mica_sched.submit @loop_0(%[[I]], %[[C]]) : memref<i32>, memref<i1>
// CHECK:   mica_sched.wait
// CHECK:   %[[V:.*]] = memref.load %[[C]][] : memref<i1>
// CHECK:   scf.condition(%[[V]]) %[[I]] : memref<i32>
// CHECK: } do {
// CHECK: ^bb0(%[[J:.*]]: memref<i32>):
// CHECK:   %[[N:.*]] = mica_sched.alloc : memref<i32>
// CHECK:   mica_sched.submit @loop_1(%[[J]], %[[N]]) : memref<i32>, memref<i32>
// CHECK:   scf.yield %[[N]] : memref<i32>
// CHECK: %[[R:.*]] = mica_sched.result 0 : memref<i32>
// CHECK: mica_sched.submit @loop_2(%[[W]], %[[R]])
func.func @loop(%x: tensor<i32>) -> tensor<i32> {
  %w = scf.while (%i = %x) : (tensor<i32>) -> tensor<i32> {
    %c = mica_sched.dispatch @less(%i) {op_ids = ["000000000001"]} : (tensor<i32>) -> tensor<i1>
    %v = tensor.extract %c[] : tensor<i1>
    scf.condition(%v) %i : tensor<i32>
  } do {
  ^bb0(%j: tensor<i32>):
    %n = mica_sched.dispatch @next(%j) {op_ids = ["000000000002"]} : (tensor<i32>) -> tensor<i32>
    scf.yield %n : tensor<i32>
  }
  %r = mica_sched.dispatch @next(%w) {op_ids = ["000000000003"]} : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}

// An element of an argument is there from the start: no wait. A reshape that leaves a branch is a view of the host's.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[X:.*]]: memref<16xf32>, %[[C:.*]]: memref<i1>)
// CHECK-NOT: mica_sched.wait
// CHECK: %[[V:.*]] = memref.load %[[C]][] : memref<i1>
// CHECK: scf.if %[[V]] -> (memref<4x4xf32>) {
// CHECK:   %[[A:.*]] = mica_sched.alloc : memref<16xf32>
// CHECK-DAG: mica_sched.submit @branch_0(%[[X]], %[[A]])
// CHECK-DAG: %[[AV:.*]] = mica_sched.view %[[A]] at 0 : memref<16xf32> to memref<4x4xf32>
// CHECK:   scf.yield %[[AV]]
// CHECK: } else {
// CHECK:   scf.yield %{{.*}} : memref<4x4xf32>
func.func @branch(%x: tensor<16xf32>, %c: tensor<i1>) -> tensor<16xf32> {
  %v = tensor.extract %c[] : tensor<i1>
  %xv = tensor.expand_shape %x [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %b = scf.if %v -> tensor<4x4xf32> {
    %0 = mica_sched.dispatch @exp(%x) {op_ids = ["000000000001"]} : (tensor<16xf32>) -> tensor<16xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  } else {
    scf.yield %xv : tensor<4x4xf32>
  }
  %f = tensor.collapse_shape %b [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %r = mica_sched.dispatch @exp(%f) {op_ids = ["000000000002"]} : (tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

module @copy attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @copy(%x: memref<?x1xf32> {mica_sched.access = "read"}, %o: memref<?x1xf32> {mica_sched.access = "write"}) { return }
}
module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000b"]} {
  func.func @exp(%x: memref<?xf32> {mica_sched.access = "read"}, %o: memref<?xf32> {mica_sched.access = "write"}) { return }
}

// The size of a view that is asked for is that of what it shows, found before the question for that one is converted.
// CHECK-LABEL: func.func @size_of_a_view
// CHECK: %[[N:.*]] = memref.dim
// CHECK: mica_sched.result 0 sizes(%[[N]]) : memref<?x1xf32>
func.func @size_of_a_view(%x: tensor<?xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = mica_sched.dispatch @exp(%x) sizes(%n) {op_ids = ["000000000001"]} : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %m = tensor.dim %1, %c0 : tensor<?x1xf32>
  %2 = mica_sched.dispatch @copy(%1) sizes(%m) {op_ids = ["000000000002"]} : (tensor<?x1xf32>) -> tensor<?x1xf32>
  return %2 : tensor<?x1xf32>
}

// -----

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}

// A choice between tensors is a branch: what is behind it is another list, which runs after the first.
// CHECK: mica_sched.task_list @choice_0
// CHECK: mica_sched.task_list @choice_1
// CHECK-LABEL: func.func @choice
// CHECK-SAME: (%[[X:.*]]: memref<16xf32>, %[[C:.*]]: i1)
// CHECK: %[[A:.*]] = mica_sched.alloc : memref<16xf32>
// CHECK: mica_sched.submit @choice_0(%[[X]], %[[A]])
// CHECK: %[[CHOSEN:.*]] = arith.select %[[C]], %[[X]], %[[A]] : memref<16xf32>
// CHECK: mica_sched.submit @choice_1(%[[CHOSEN]], %{{.*}})
func.func @choice(%x: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %0 = mica_sched.dispatch @exp(%x) {op_ids = ["000000000001"]} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = arith.select %c, %x, %0 : tensor<16xf32>
  %2 = mica_sched.dispatch @exp(%1) {op_ids = ["000000000002"]} : (tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

module @exp attributes {mica_sched.kernel} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}
module @put attributes {mica_sched.kernel} {
  func.func @put(%o: memref<16xf32> {mica_sched.access = "readwrite"}, %x: memref<16xf32> {mica_sched.access = "read"}) { return }
}

// What is changed in place is one memory, that of the result; the change waits for its readers, later readers for the change.
// CHECK-LABEL: mica_sched.task_list @change_waits_for_readers_0
// CHECK-SAME: (%[[X:.*]]: memref<16xf32>, %[[R:.*]]: memref<16xf32>, %[[Q:.*]]: memref<16xf32>, %[[S:.*]]: memref<16xf32>)
// CHECK: %[[T0:.*]] = mica_sched.task @exp(%[[X]], %[[R]])
// CHECK: %[[T1:.*]] = mica_sched.task @exp(%[[R]], %[[Q]]) after(%[[T0]])
// CHECK: %[[T2:.*]] = mica_sched.task @put(%[[R]], %[[X]]) after(%[[T1]])
// CHECK: mica_sched.task @exp(%[[R]], %[[S]]) after(%[[T2]])
// CHECK: func.func @change_waits_for_readers
func.func @change_waits_for_readers(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %0 = mica_sched.dispatch @exp(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = mica_sched.dispatch @exp(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = mica_sched.dispatch @put(%0, %x) {updates = array<i64: 0>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %3 = mica_sched.dispatch @exp(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %1, %2, %3 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<?x2xf32> {mica_sched.access = "read"}, %o: memref<?x2xf32> {mica_sched.access = "write"}) { return }
}

// A reshape knows a size that its type does not.
// CHECK-LABEL: func.func @size_of_a_reshape
// CHECK: %[[R:.*]] = mica_sched.result 0 sizes(%c3)
// CHECK: mica_sched.submit @size_of_a_reshape_0({{.*}}) scalars(%c3
func.func @size_of_a_reshape(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [3, 2] : tensor<?xf32> into tensor<?x2xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %0, %c0 : tensor<?x2xf32>
  %1 = mica_sched.dispatch @exp(%0) sizes(%n) {op_ids = ["000000000001"]} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// -----

module @exp attributes {mica_sched.kernel} {
  func.func @exp(%x: memref<16xf32> {mica_sched.access = "read"}, %o: memref<16xf32> {mica_sched.access = "write"}) { return }
}
module @put attributes {mica_sched.kernel} {
  func.func @put(%o: memref<16xf32> {mica_sched.access = "readwrite"}, %x: memref<16xf32> {mica_sched.access = "read"}) { return }
}

// A loop passes on the memory it changes; no iteration makes any.
// CHECK-LABEL: func.func @loop_changes_one_memory
// CHECK: %[[M:.*]] = mica_sched.alloc
// CHECK: scf.for
// CHECK-NOT: mica_sched.alloc
// CHECK: mica_sched.submit @{{.*}}(%[[M]],
// CHECK-NEXT: }
func.func @loop_changes_one_memory(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = mica_sched.dispatch @exp(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> tensor<16xf32> {
    %2 = mica_sched.dispatch @put(%a, %x) {updates = array<i64: 0>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    scf.yield %2 : tensor<16xf32>
  }
  %3 = mica_sched.dispatch @exp(%1) : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

// An element of a view of an argument is loaded from the view.
// CHECK-LABEL: func.func @element_of_view
// CHECK-SAME: (%[[X:.*]]: memref<1xi64>)
// CHECK: %[[V:.*]] = mica_sched.view %[[X]]
// CHECK: memref.load %[[V]][] : memref<i64>
func.func @element_of_view(%x: tensor<1xi64>) -> i64 {
  %0 = tensor.collapse_shape %x [] : tensor<1xi64> into tensor<i64>
  %1 = tensor.extract %0[] : tensor<i64>
  return %1 : i64
}
