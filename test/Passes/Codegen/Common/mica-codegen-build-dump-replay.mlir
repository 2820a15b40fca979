// A dump replay stores what operations compute inside of a kernel, and none of the kernel's results.
// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(mica-codegen-build-dump-replay))' | FileCheck %s

#map = affine_map<(i) -> (i)>

// The maximum and the difference are parts of one operation: its result is the difference.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[A:.*]]: memref<8xf32> {mica_sched.access = "read"}, %{{.*}}: memref<8xf32> {mica_sched.access = "write"}, %[[I:.*]]: memref<8xf32> {mica_check.inside = "a81e53e8196c", mica_check.inside_sizes = array<i64>, mica_sched.access = "write"})
// CHECK: math.absf
// CHECK: %[[SECOND:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: math.tanh
// CHECK-NOT: materialize_in_destination
// CHECK: bufferization.materialize_in_destination %[[SECOND]] in restrict writable %[[I]]
// CHECK-NOT: materialize_in_destination
func.func @parts(%a: memref<8xf32> {mica_sched.access = "read"}, %r: memref<8xf32> {mica_sched.access = "write"}) {
  %0 = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.absf %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#exp)
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.exp %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#exp)
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.tanh %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#tanh)
  bufferization.materialize_in_destination %3 in restrict writable %r : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
#exp = loc(fused<"mica.op:a81e53e8196c">["k.mlir":1:1])
#tanh = loc(fused<"mica.op:0422efc37baf">["k.mlir":2:1])

// -----

#map = affine_map<(i) -> (i)>

// Sizes are those of a buffer's dimension, or a scalar's. A size that is computed is not known before the kernel runs.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: memref<?xf32> {mica_check.inside = "a81e53e8196c", mica_check.inside_sizes = array<i64: 0, 0>, mica_sched.access = "write"}
// CHECK-SAME: memref<?xf32> {mica_check.inside = "bbbbbbbbbbbb", mica_check.inside_sizes = array<i64: -1, 0>, mica_sched.access = "write"}, %{{.*}}: index)
// CHECK-NOT: cccccccccccc
func.func @sizes(%a: memref<?xf32> {mica_sched.access = "read"}, %r: memref<?xf32> {mica_sched.access = "write"}, %n: index) {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %twice = arith.addi %n, %n : index
  %g = tensor.empty(%twice) : tensor<?xf32>
  %cst = arith.constant 1.0 : f32
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.exp %in : f32
    linalg.yield %9 : f32
  } -> tensor<?xf32> loc(#exp)
  %2 = linalg.fill ins(%cst : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32> loc(#fill)
  %3 = linalg.fill ins(%cst : f32) outs(%g : tensor<?xf32>) -> tensor<?xf32> loc(#other)
  %4 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
    %9 = arith.addf %x, %y : f32
    %10 = arith.addf %9, %z : f32
    linalg.yield %10 : f32
  } -> tensor<?xf32> loc(#sum)
  bufferization.materialize_in_destination %4 in restrict writable %r : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
#exp = loc(fused<"mica.op:a81e53e8196c">["k.mlir":1:1])
#fill = loc(fused<"mica.op:bbbbbbbbbbbb">["k.mlir":2:1])
#other = loc(fused<"mica.op:cccccccccccc">["k.mlir":3:1])
#sum = loc(fused<"mica.op:0422efc37baf">["k.mlir":4:1])

// -----

#map = affine_map<(i) -> (i)>

// Nothing is inside of it.
// MUTATION: stays green, nothing is added.
// CHECK-LABEL: func.func @alone
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg1
func.func @alone(%a: memref<8xf32> {mica_sched.access = "read"}, %r: memref<8xf32> {mica_sched.access = "write"}) {
  %0 = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.exp %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#exp)
  bufferization.materialize_in_destination %1 in restrict writable %r : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
#exp = loc(fused<"mica.op:a81e53e8196c">["k.mlir":1:1])
