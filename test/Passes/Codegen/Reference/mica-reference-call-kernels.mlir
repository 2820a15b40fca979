// RUN: mica-opt %s --split-input-file --mica-reference-call-kernels | FileCheck %s

// A kernel is a function; a dispatch allocates what the kernel writes, copies what it changes, and calls it.

module @k attributes {mica_sched.kernel, mica_sched.hash = "0000000000000001", mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"], mica_sched.root_kind = "exp"} {
  func.func @k(%a: memref<?xf32> {mica_sched.access = "read"}, %b: memref<?xf32> {mica_sched.access = "readwrite"}, %n: index) {
    return
  }
}
// CHECK-LABEL: func.func private @mica_plain_k_k(
// CHECK-SAME:    %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: index) {

// CHECK-LABEL: func.func private @mica_plain_f(
// CHECK-SAME:    %[[A:.*]]: tensor<?xf32> {bufferization.writable = false}, %[[B:.*]]: tensor<?xf32> {bufferization.writable = false}, %[[N:.*]]: index)
// CHECK-SAME:    plain_entry = ["f", (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>]
// CHECK:         %[[READ:.*]] = bufferization.to_buffer %[[A]] read_only
// CHECK:         %[[OLD:.*]] = bufferization.to_buffer %[[B]] read_only
// CHECK:         %[[NEW:.*]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?xf32>
// CHECK:         memref.copy %[[OLD]], %[[NEW]]
// CHECK:         call @mica_plain_k_k(%[[READ]], %[[NEW]], %[[N]])
// CHECK:         %[[R:.*]] = bufferization.to_tensor %[[NEW]] restrict writable
// CHECK:         return %[[R]]
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = mica_sched.dispatch @k(%a, %b) scalars(%n) sizes(%n) {op_ids = ["00000000000b"], updates = array<i64: 1>}
     : (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A task list is a function of addresses and sizes; a kernel cut into shares is called for the whole; a function that no
// one outside can call gets no entry.

module @k attributes {mica_sched.kernel, mica_sched.hash = "0000000000000001", mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"], mica_sched.root_kind = "exp"} {
  func.func @k(%a: memref<4xf32> {mica_sched.access = "read"}, %b: memref<4xf32> {mica_sched.access = "write"}, %part: index, %parts: index) attributes {mica_sched.grid = 4 : i64} {
    return
  }
}
// CHECK-LABEL: func.func private @mica_plain_list_l(
// CHECK-SAME:    %[[P:.*]]: index, %[[Q:.*]]: index) {
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<64xi8>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         call @mica_plain_k_k(%{{.*}}, %{{.*}}, %[[ZERO]], %[[ONE]])
// CHECK:         call @mica_plain_k_k(
// CHECK-NOT:     mica_sched
mica_sched.task_list @l(%x: memref<4xf32>, %r: memref<4xf32>) arena 64 {
  %t = mica_sched.arena 0 : memref<4xf32>
  %0 = mica_sched.task @k(%x, %t) {op_ids = ["00000000000a"]} : memref<4xf32>, memref<4xf32>
  %1 = mica_sched.task @k(%t, %r) after(%0) {op_ids = ["00000000000b"]} : memref<4xf32>, memref<4xf32>
}
// CHECK-LABEL: func.func private @mica_plain_g(
// CHECK:         %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK:         call @mica_plain_list_l(%{{.*}}, %{{.*}}) : (index, index) -> ()
// CHECK:         return %[[R]]
func.func @g(%x: memref<4xf32>) -> memref<4xf32> attributes {mica_sched.entry} {
  %r = mica_sched.result 0 : memref<4xf32>
  mica_sched.submit @l(%x, %r) : memref<4xf32>, memref<4xf32>
  mica_sched.wait
  return %r : memref<4xf32>
}
// CHECK-LABEL: func.func private @mica_plain_helper()
// CHECK-NOT:     plain_entry
func.func @helper() {
  return
}
