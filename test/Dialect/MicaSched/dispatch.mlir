// RUN: mica-opt %s --verify-roundtrip | FileCheck %s

// CHECK: module @double_rows attributes {mica_sched.hash = "0f", mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.add"], mica_sched.root_kind = "elementwise"}
module @double_rows attributes {mica_sched.kernel, mica_sched.root_kind = "elementwise",
    mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.add"], mica_sched.hash = "0f"} {
  func.func @double_rows(%x: memref<?x4xf32> {mica_sched.access = "read"},
                         %o: memref<?x4xf32> {mica_sched.access = "write"}, %n: index) {
    %0 = bufferization.to_tensor %x restrict : memref<?x4xf32> to tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %1 = linalg.add ins(%0, %0 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    bufferization.materialize_in_destination %1 in restrict writable %o : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
    return
  }
}

// A kernel as the phase kernel leaves it: scratch, part and parts are no part of what a dispatch passes.
module @mapped attributes {mica_sched.kernel} {
  func.func @mapped(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "readwrite"},
                    %n: i64, %scratch: memref<64xi8>, %part: index, %parts: index)
      attributes {mica_sched.grid = 4 : i64, mica_sched.scratch_bytes = 64 : i64, mica_sched.strategy = "rows"} {
    return
  }
}
module @serial attributes {mica_sched.kernel} {
  func.func @serial(%o: memref<4xf32> {mica_sched.access = "write"}, %part: index, %parts: index)
      attributes {mica_sched.grid = 1 : i64} {
    return
  }
}

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: index)
func.func @dynamic(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> attributes {mica_sched.entry} {
  // CHECK: mica_sched.dispatch @double_rows(%[[X]]) scalars(%[[N]]) sizes(%[[N]]) {op_ids = ["00000000000b"]} : (tensor<?x4xf32>, index) -> tensor<?x4xf32>
  %r = mica_sched.dispatch @double_rows(%x) scalars(%n) sizes(%n) {op_ids = ["00000000000b"]}
     : (tensor<?x4xf32>, index) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @several
func.func @several(%x: tensor<4xf32>, %n: i64) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[S:.*]] = mica_sched.dispatch @serial() : () -> tensor<4xf32>
  %s = mica_sched.dispatch @serial() : () -> tensor<4xf32>
  // CHECK: mica_sched.dispatch @mapped(%{{.*}}, %[[S]]) scalars(%{{.*}}) {updates = array<i64: 1>} : (tensor<4xf32>, tensor<4xf32>, i64) -> tensor<4xf32>
  %m = mica_sched.dispatch @mapped(%x, %s) scalars(%n) {updates = array<i64: 1>}
     : (tensor<4xf32>, tensor<4xf32>, i64) -> tensor<4xf32>
  return %s, %m : tensor<4xf32>, tensor<4xf32>
}
