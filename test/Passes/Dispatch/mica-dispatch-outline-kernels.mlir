// RUN: mica-opt %s --mica-tensor-assign-ids --mica-dispatch-outline-kernels | FileCheck %s

#id = affine_map<(i) -> (i)>

// Kernels come first, in the order of their first use; equal groups share one.
// CHECK: module @exp_4xf32 attributes {mica_sched.flops = 4 : i64, mica_sched.hash = "{{[0-9a-f]+}}", mica_sched.kernel, mica_sched.op_ids = ["[[ID0:[0-9a-f]+]]"], mica_sched.op_kinds = ["linalg.generic"], mica_sched.root_kind = "exp"}
// CHECK: func.func @exp_4xf32(%[[X:.*]]: memref<4xf32> {mica_sched.access = "read"}, %[[O:.*]]: memref<4xf32> {mica_sched.access = "write"})
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[X]] restrict : memref<4xf32> to tensor<4xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<4xf32>) outs(%[[E]] : tensor<4xf32>)
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[O]]
// CHECK-NOT: module @exp_4xf32_1
// CHECK: module @add_4xf32
// CHECK-LABEL: func.func @equal_groups_share_a_kernel
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>)
func.func @equal_groups_share_a_kernel(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: %[[R0:.*]] = mica_sched.dispatch @exp_4xf32(%[[A]]) {op_ids = ["[[ID0]]"]} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>)
      outs(%e : tensor<4xf32>) attrs = {mica_sched.group = 0 : i64} {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  // CHECK: %[[R1:.*]] = mica_sched.dispatch @exp_4xf32(%[[R0]]) {op_ids = ["{{[0-9a-f]+}}"]}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>)
      outs(%e : tensor<4xf32>) attrs = {mica_sched.group = 1 : i64} {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  // CHECK: mica_sched.dispatch @add_4xf32(%[[R0]], %[[R1]])
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %1 : tensor<4xf32>, tensor<4xf32>)
      outs(%e : tensor<4xf32>) attrs = {mica_sched.group = 2 : i64} {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %x = arith.addf %in, %in1 : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
