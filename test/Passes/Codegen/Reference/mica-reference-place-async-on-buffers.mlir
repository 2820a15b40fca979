// RUN: mica-opt %s -mica-reference-place-async-on-buffers | FileCheck %s

// What a task yields is in memory of its own, and what it reads of the code around it is a copy.
// CHECK-LABEL: func.func @task
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]]) : tensor<4xf32>
// CHECK:         %[[TOKEN:.*]], %[[VALUE:.*]] = async.execute -> !async.value<memref<4xf32>> {
// CHECK:           %[[Y:.*]] = math.exp %[[COPY]] : tensor<4xf32>
// CHECK:           %[[M:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK:           bufferization.materialize_in_destination %[[Y]] in restrict writable %[[M]]
// CHECK:           async.yield %[[M]] : memref<4xf32>
// CHECK:         %[[R:.*]] = async.await %[[VALUE]] : !async.value<memref<4xf32>>
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[R]] restrict
// CHECK:         return %[[T]] : tensor<4xf32>
func.func @task(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t, %v = async.execute -> !async.value<tensor<4xf32>> {
    %y = math.exp %x : tensor<4xf32>
    async.yield %y : tensor<4xf32>
  }
  %r = async.await %v : !async.value<tensor<4xf32>>
  return %r : tensor<4xf32>
}

// A task that waits for what another one gives.
// CHECK-LABEL: func.func @waits
// CHECK-SAME:    %[[V:.*]]: !async.value<memref<?xi32>>
// CHECK:         async.execute (%[[V]] as %[[W:.*]]: !async.value<memref<?xi32>>)
// CHECK:           %[[T:.*]] = bufferization.to_tensor %[[W]] restrict
// CHECK:           tensor.dim %[[T]]
func.func @waits(%v: !async.value<tensor<?xi32>>) -> index {
  %c0 = arith.constant 0 : index
  %t, %n = async.execute (%v as %w: !async.value<tensor<?xi32>>) -> !async.value<index> {
    %d = tensor.dim %w, %c0 : tensor<?xi32>
    async.yield %d : index
  }
  %r = async.await %n : !async.value<index>
  return %r : index
}

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @others
// CHECK-NEXT:    async.execute {
// CHECK-NEXT:      memref.store
func.func @others(%m: memref<i32>, %x: i32) {
  %t = async.execute {
    memref.store %x, %m[] : memref<i32>
    async.yield
  }
  async.await %t : !async.token
  return
}
