// RUN: mica-opt %s --mica-phase-dispatch=opt-level=0 | FileCheck %s

// What kernels take: sizes at hand are read off their buffers, floats are boxed, weights stay operands, splats are made
// inside.

// CHECK: func.func @pad_dx4xf32(%[[X:.*]]: memref<?x4xf32> {mica_sched.access = "read"}, %[[S:.*]]: memref<f32> {mica_sched.access = "read"}, %{{.*}}: memref<?x4xf32> {mica_sched.access = "write"})
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[S]]
// CHECK: %[[F:.*]] = tensor.extract %[[B]][]
// CHECK: tensor.yield %[[F]]
// CHECK: func.func @fill_2xdx4xf32(%{{.*}}: memref<f32> {mica_sched.access = "read"}, %{{.*}}: memref<2x?x4xf32> {mica_sched.access = "write"}, %[[N:.*]]: index {mica_sched.size})
// CHECK: tensor.empty(%[[N]])

// CHECK: func.func @matmul_4x4x4xf32(%{{.*}}: memref<4x4xf32> {mica_sched.access = "read"}, %{{.*}}: memref<4x4xf32> {mica_sched.access = "read"},
// CHECK-NOT: arith.constant dense
// CHECK: func.func @add_4x4xf32(%{{.*}}: memref<4x4xf32> {mica_sched.access = "read"}, %{{.*}}: memref<4x4xf32> {mica_sched.access = "write"})
// CHECK: linalg.fill

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[ARG:.*]]: tensor<?x4xf32>, %[[V:.*]]: f32)
func.func @dynamic(%x: tensor<?x4xf32>, %s: f32) -> (tensor<?x4xf32>, tensor<2x?x4xf32>) {
  // CHECK: %[[DIM:.*]] = tensor.dim %[[ARG]]
  // CHECK: mica_sched.check_sum %{{.*}}, %[[DIM]], %{{.*}} : f32
  // CHECK: %[[BOX:.*]] = tensor.from_elements %[[V]] : tensor<f32>
  // CHECK: %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[DIM]]]
  // CHECK: mica_sched.dispatch @pad_dx4xf32(%[[ARG]], %[[BOX]]) sizes(%[[SIZE]])
  %p = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %s : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %p, %c0 : tensor<?x4xf32>
  // CHECK: mica_sched.dispatch @fill_2xdx4xf32(%[[BOX]]) scalars(%[[SIZE]]) sizes(%[[SIZE]])
  %f = tensor.splat %s[%d] : tensor<2x?x4xf32>
  return %p, %f : tensor<?x4xf32>, tensor<2x?x4xf32>
}

// CHECK-LABEL: func.func @constants
func.func @constants(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[W:.*]] = arith.constant dense<2.000000e+00> : tensor<4x4xf32>
  %w = arith.constant dense<2.0> : tensor<4x4xf32>
  // CHECK: %[[Z:.*]] = mica_sched.dispatch @fill_4x4xf32()
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  // CHECK: mica_sched.dispatch @matmul_4x4x4xf32(%{{.*}}, %[[W]], %[[Z]])
  %0 = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = arith.addf %0, %w : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
