// RUN: mica-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mica-codegen-build-fault-replay))' | FileCheck %s

// What may fail stands under its requirement and reports operands and element; no result is written.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @divides(
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[S:.*]] = arith.addi
// CHECK: %[[OK:.*]] = mica_check.divisible signed %[[S]], %[[Y:.*]] : i32
// CHECK: scf.if %[[OK]] -> (i32)
// CHECK: arith.divsi %[[S]], %[[Y]]
// CHECK: mica_check.failed "arith.divsi 2"(%[[S]], %[[Y]], %[[I]], %[[J]] : i32, i32, index, index)
// CHECK-NOT: bufferization.materialize_in_destination
func.func @divides(%a: memref<4x8xi32> {mica_sched.access = "read"}, %b: memref<4x8xi32> {mica_sched.access = "read"}, %r: memref<4x8xi32> {mica_sched.access = "write"}) {
  %t = bufferization.to_tensor %a restrict : memref<4x8xi32> to tensor<4x8xi32>
  %u = bufferization.to_tensor %b restrict : memref<4x8xi32> to tensor<4x8xi32>
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %u : tensor<4x8xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %s = arith.addi %x, %x : i32
    %d = arith.divsi %s, %y : i32
    linalg.yield %d : i32
  } -> tensor<4x8xi32>
  bufferization.materialize_in_destination %0 in restrict writable %r : (tensor<4x8xi32>, memref<4x8xi32>) -> ()
  return
}

// -----

// Shifts, asserts and elements of other tensors; numbers of an unsigned division are shown as such.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @others(
// CHECK: mica_check.shiftable
// CHECK: mica_check.failed "arith.shli 2"(%{{.*}}, %{{.*}}, %{{.*}} : i32, i32, index)
// CHECK: %[[U:.*]] = arith.extui
// CHECK: mica_check.failed "arith.divui 2"(%[[U]], %{{.*}}, %{{.*}} : i64, i64, index)
// CHECK-NOT: cf.assert
// CHECK: mica_check.failed "cf.assert 0"(%{{.*}} : index)
// CHECK: arith.cmpi ult
// CHECK: mica_check.failed "tensor.extract 1"(%{{.*}}, %{{.*}} : index, index)
func.func @others(%a: memref<8xi32>, %t: memref<?xi32>, %r: memref<8xi32>) {
  %x0 = bufferization.to_tensor %a restrict : memref<8xi32> to tensor<8xi32>
  %t0 = bufferization.to_tensor %t restrict : memref<?xi32> to tensor<?xi32>
  %e = tensor.empty() : tensor<8xi32>
  %c = arith.constant 7 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %o: i32):
    %s = arith.shli %c, %x : i32
    %d = arith.divui %s, %x : i32
    %p = arith.cmpi sgt, %d, %x : i32
    cf.assert %p, "must grow"
    %i = arith.index_cast %d : i32 to index
    %v = tensor.extract %t0[%i] : tensor<?xi32>
    linalg.yield %v : i32
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %0 in restrict writable %r : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

// What cannot fail needs no replay.
#id = affine_map<(d0) -> (d0)>
// MUTATION: stays green, there is nothing to replay.
// CHECK-LABEL: func.func @by_a_constant(
// CHECK-NOT: mica_check
// CHECK: bufferization.materialize_in_destination
func.func @by_a_constant(%a: memref<4xi32>, %r: memref<4xi32>) {
  %t = bufferization.to_tensor %a restrict : memref<4xi32> to tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %c = arith.constant 3 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %y = arith.divsi %x, %c : i32
    linalg.yield %y : i32
  } -> tensor<4xi32>
  bufferization.materialize_in_destination %0 in restrict writable %r : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// What code on buffers computes goes to memory of the replay, and so stays.
// CHECK-LABEL: func.func @on_buffers(
// CHECK: mica_sched.buffer_region
// CHECK: mica_check.divisible
// CHECK: mica_check.failed "arith.divsi 2"(%{{.*}}, %{{.*}} : i32, i32)
// CHECK: %[[M:.*]] = memref.alloc() : memref<8xi32>
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[M]]
func.func @on_buffers(%a: memref<8xi32> {mica_sched.access = "read"}, %r: memref<8xi32> {mica_sched.access = "write"}, %d: i32) {
  %t = bufferization.to_tensor %a restrict : memref<8xi32> to tensor<8xi32>
  %0 = mica_sched.buffer_region updates(%t : tensor<8xi32>) {
  ^bb0(%m: memref<8xi32>):
    affine.for %i = 0 to 8 {
      %x = affine.load %m[%i] : memref<8xi32>
      %y = arith.divsi %x, %d : i32
      affine.store %y, %m[%i] : memref<8xi32>
    }
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %0 in restrict writable %r : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

// A NaN that the kernel discards.
// RUN: mica-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(mica-codegen-build-fault-replay{floats=true}))' | FileCheck %s --check-prefix=FLOATS
#id = affine_map<(d0) -> (d0)>
// FLOATS-LABEL: func.func @discards(
// FLOATS: math.log
// FLOATS: mica_check.failed "float math.log 1"
func.func @discards(%a: memref<4xf32>, %r: memref<4xf32>) {
  %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %l = math.log %x : f32
    %c = arith.cmpf ogt, %x, %z : f32
    %y = arith.select %c, %l, %z : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %r : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
