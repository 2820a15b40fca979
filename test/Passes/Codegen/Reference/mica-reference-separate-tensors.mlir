// RUN: mica-opt %s --mica-reference-separate-tensors | FileCheck %s

// A store to a buffer made of a tensor, or that a tensor was made of, does not change the tensor.
// CHECK-LABEL: func.func @copies
// CHECK-SAME: %[[T:.*]]: tensor<?xf32>
// CHECK: %[[FROM:.*]] = bufferization.to_buffer %[[T]] read_only
// CHECK: %[[SIZE:.*]] = memref.dim %[[FROM]]
// CHECK: %[[COPY:.*]] = memref.alloc(%[[SIZE]])
// CHECK: memref.copy %[[FROM]], %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: %[[KEPT:.*]] = memref.alloc
// CHECK: memref.copy %[[COPY]], %[[KEPT]]
// CHECK: %[[R:.*]] = bufferization.to_tensor %[[KEPT]] restrict writable
// CHECK: return %[[R]]
func.func @copies(%t: tensor<?xf32>, %v: f32, %i: index) -> tensor<?xf32> {
  %m = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  memref.store %v, %m[%i] : memref<?xf32>
  %r = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// What is only read needs no copy; what a tensor is put into stands for its buffer.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: memref.copy
// CHECK: return
func.func @stays(%t: tensor<4xf32>, %m: memref<4xf32>, %i: index) -> f32 {
  %b = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %v = memref.load %b[%i] : memref<4xf32>
  %d = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %p = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %v : f32
}

// CHECK-LABEL: func.func @structured
// CHECK-SAME: %[[X:.*]]: memref<2x4xf32>, %[[Y:.*]]: memref<2x4xf32, strided<[8, 1]>>
// CHECK: %[[A:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[Y]] restrict
// CHECK: %[[R:.*]] = linalg.softmax dimension(1) ins(%[[A]] : tensor<2x4xf32>) outs(%[[B]] : tensor<2x4xf32>)
// CHECK: %[[M:.*]] = bufferization.to_buffer %[[R]] read_only
// CHECK: memref.copy %[[M]], %[[Y]]
func.func @structured(%x: memref<2x4xf32>, %y: memref<2x4xf32, strided<[8, 1]>>) {
  linalg.softmax dimension(1) ins(%x : memref<2x4xf32>) outs(%y : memref<2x4xf32, strided<[8, 1]>>)
  return
}

// An argument is only read: its copy is the destination.
// CHECK-LABEL: func.func @materialize(
// CHECK-SAME:    %[[A:.*]]: tensor<?xf32>)
// CHECK:         %[[D:.*]] = bufferization.alloc_tensor() copy(%[[A]]) : tensor<?xf32>
// CHECK:         bufferization.materialize_in_destination %[[A]] in %[[D]]
func.func @materialize(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = bufferization.materialize_in_destination %a in %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
