// RUN: mica-opt %s --verify-roundtrip | FileCheck %s

module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["math.exp"]} {
  func.func @exp(%x: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) { return }
}
module @double_rows attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.add"]} {
  func.func @double_rows(%x: memref<?x4xf32> {mica_sched.access = "read"},
                         %o: memref<?x4xf32> {mica_sched.access = "write"}, %n: index) { return }
}
// A kernel in the LLVM dialect no longer says what it takes: tasks still name it.
module @lowered attributes {mica_sched.kernel} {
  llvm.func @mica_kernel_lowered(%args: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
}

// CHECK: mica_sched.task_list @static(%[[X:.*]]: memref<4xf32>, %[[R:.*]]: memref<4xf32>) arena 128 {
mica_sched.task_list @static(%x: memref<4xf32>, %r: memref<4xf32>) arena 128 {
  // CHECK: %[[T:.*]] = mica_sched.arena 64 : memref<4xf32>
  %t = mica_sched.arena 64 : memref<4xf32>
  // CHECK: %[[C:.*]] = mica_sched.constant dense<1.000000e+00> : tensor<4xf32> -> memref<4xf32>
  %c = mica_sched.constant dense<1.0> : tensor<4xf32> -> memref<4xf32>
  // CHECK: %[[V:.*]] = mica_sched.view %[[C]] at 0 : memref<4xf32> to memref<2x2xf32>
  %v = mica_sched.view %c at 0 : memref<4xf32> to memref<2x2xf32>
  // CHECK: %[[T0:.*]] = mica_sched.task @exp(%[[X]], %[[T]]) {op_ids = ["00000000000a"]} : memref<4xf32>, memref<4xf32>
  %0 = mica_sched.task @exp(%x, %t) {op_ids = ["00000000000a"]} : memref<4xf32>, memref<4xf32>
  // CHECK: mica_sched.task @exp(%[[T]], %[[R]]) after(%[[T0]]) {device = "cpu:1", op_ids = ["00000000000b"]}
  %1 = mica_sched.task @exp(%t, %r) after(%0) {op_ids = ["00000000000b"], device = "cpu:1"} : memref<4xf32>, memref<4xf32>
  // CHECK: mica_sched.task @lowered() after(%[[T0]], %{{.*}}) {op_ids = []}
  %2 = mica_sched.task @lowered() after(%0, %1) {op_ids = []}
}

// CHECK: mica_sched.task_list @dynamic(%[[X:.*]]: memref<?x4xf32>, %[[R:.*]]: memref<?x4xf32>, %[[N:.*]]: index, %[[B:.*]]: index) arena 0 {
mica_sched.task_list @dynamic(%x: memref<?x4xf32>, %r: memref<?x4xf32>, %n: index, %bytes: index) arena 0 {
  // CHECK: %[[T:.*]] = mica_sched.dynamic %[[B]] : memref<?x4xf32>
  %t = mica_sched.dynamic %bytes : memref<?x4xf32>
  // CHECK: %[[T0:.*]] = mica_sched.task @double_rows(%[[X]], %[[T]]) scalars(%[[N]], %[[N]], %[[N]]) {
  %0 = mica_sched.task @double_rows(%x, %t) scalars(%n, %n, %n) {op_ids = ["00000000000a"]} : memref<?x4xf32>, memref<?x4xf32>
  // CHECK: mica_sched.task @double_rows(%[[T]], %[[R]]) scalars(%[[N]], %[[N]], %[[N]]) after(%[[T0]]) {
  %1 = mica_sched.task @double_rows(%t, %r) scalars(%n, %n, %n) after(%0) {op_ids = ["00000000000a"]} : memref<?x4xf32>, memref<?x4xf32>
}

// CHECK: mica_sched.task_list @nothing() arena 0 {
mica_sched.task_list @nothing() arena 0 {}

// CHECK-LABEL: func.func @host
// CHECK-SAME: (%[[X:.*]]: memref<?x4xf32>) -> memref<?x4xf32>
func.func @host(%x: memref<?x4xf32>) -> memref<?x4xf32> attributes {mica_sched.entry} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  // CHECK: %[[R:.*]] = mica_sched.result 0 sizes(%[[N:.*]]) : memref<?x4xf32>
  %r = mica_sched.result 0 sizes(%n) : memref<?x4xf32>
  // CHECK: %{{.*}} = mica_sched.byte_size sizes(%[[N]], %[[N]]) : memref<?x4x?xf32>
  %bytes = mica_sched.byte_size sizes(%n, %n) : memref<?x4x?xf32>
  // CHECK: mica_sched.check_reshape sizes(%[[N]]) : tensor<?x4xf32> to sizes(%[[N]], %[[N]]) : tensor<?x?xf32>
  mica_sched.check_reshape sizes(%n) : tensor<?x4xf32> to sizes(%n, %n) : tensor<?x?xf32>
  // CHECK: mica_sched.check_reshape same_sizes sizes(%[[N]]) : tensor<?xf32> to : tensor<4xf32>
  mica_sched.check_reshape same_sizes sizes(%n) : tensor<?xf32> to : tensor<4xf32>
  // CHECK: mica_sched.check_sum %[[N]], %[[N]] : f32
  mica_sched.check_sum %n, %n : f32
  %ok = arith.cmpi eq, %n, %n : index
  // CHECK: mica_sched.check_sizes %{{.*}}, "the size is {0}, expected {1}"(%[[N]], %[[N]])
  mica_sched.check_sizes %ok, "the size is {0}, expected {1}" (%n, %n)
  // CHECK: %[[MARK:.*]] = mica_sched.mark
  %mark = mica_sched.mark
  // CHECK: %[[A:.*]] = mica_sched.alloc : memref<i1>
  %a = mica_sched.alloc : memref<i1>
  // CHECK: mica_sched.release %[[MARK]] keep(%[[A]] : memref<i1>)
  mica_sched.release %mark keep(%a : memref<i1>)
  // CHECK: mica_sched.release %[[MARK]]
  mica_sched.release %mark
  // CHECK: mica_sched.view %[[X]] at 64 sizes(%[[N]]) : memref<?x4xf32> to memref<?xf32>
  %v = mica_sched.view %x at 64 sizes(%n) : memref<?x4xf32> to memref<?xf32>
  // CHECK: mica_sched.submit @dynamic(%[[X]], %[[R]]) scalars(%[[N]], %[[N]]) : memref<?x4xf32>, memref<?x4xf32>
  mica_sched.submit @dynamic(%x, %r) scalars(%n, %n) : memref<?x4xf32>, memref<?x4xf32>
  // CHECK: mica_sched.submit @nothing()
  mica_sched.submit @nothing()
  // CHECK: mica_sched.wait
  mica_sched.wait
  return %r : memref<?x4xf32>
}
