// RUN: mica-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mica-codegen-build-replay))' | FileCheck %s

// One element of the result, and of what it is computed from; a probe behind each operation.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[A:.*]]: memref<4x8xf32> {mica_sched.access = "read"}, %{{.*}}: memref<4x8xf32> {mica_sched.access = "write"}, %[[WHICH:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[A]]
// CHECK-NOT: linalg.generic
// CHECK: %[[WANTED:.*]] = arith.cmpi eq, %[[WHICH]]
// CHECK: scf.if %[[WANTED]]
// CHECK: tensor.extract_slice %[[T]][%[[I]], %[[J]]] [1, 1] [1, 1]
// CHECK: linalg.generic
// CHECK: math.log
// CHECK: scf.if
// CHECK: mica_check.failed "math.log 1"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i64, i64, index, index)
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: mica_check.failed "arith.mulf 2"
// CHECK-NOT: bufferization.materialize_in_destination
func.func @chain(%a: memref<4x8xf32> {mica_sched.access = "read"}, %r: memref<4x8xf32> {mica_sched.access = "write"}) {
  %t = bufferization.to_tensor %a restrict : memref<4x8xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.log %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  bufferization.materialize_in_destination %1 in restrict writable %r : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

// Integers have no NaN: there is nothing to replay.
#id = affine_map<(d0) -> (d0)>
// MUTATION: stays green, there is nothing to replay.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %{{.*}}: memref<4xi32>, %{{.*}}: memref<4xi32>)
// CHECK: bufferization.materialize_in_destination
func.func @integers(%a: memref<4xi32>, %r: memref<4xi32>) {
  %t = bufferization.to_tensor %a restrict : memref<4xi32> to tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %y = arith.muli %x, %x : i32
    linalg.yield %y : i32
  } -> tensor<4xi32>
  bufferization.materialize_in_destination %0 in restrict writable %r : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}
