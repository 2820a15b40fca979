// RUN: mica-opt %s -split-input-file -mica-codegen-decompose-ops | FileCheck %s

// CHECK-LABEL: func.func @concat
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @concat(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// -----

// CHECK-LABEL: func.func @pad
// CHECK:         linalg.generic
// CHECK:         tensor.insert_slice
// CHECK-NOT:     tensor.pad
func.func @pad(%a: tensor<2x4xf32>) -> tensor<4x6xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<2x4xf32> to tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func.func @pack
// CHECK-NOT:     linalg.pack
// CHECK:         tensor.expand_shape
// CHECK-NOT:     linalg.pack
func.func @pack(%a: tensor<16x64xf32>, %o: tensor<2x16x32xf32>) -> tensor<2x16x32xf32> {
  %0 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %o
      : tensor<16x64xf32> -> tensor<2x16x32xf32>
  return %0 : tensor<2x16x32xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK:         arith.maxnumf
// CHECK:         math.exp
// CHECK:         arith.divf
// CHECK-NOT:     linalg.softmax
func.func @softmax(%a: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @named
// CHECK:         linalg.generic
// CHECK:           math.exp
func.func @named(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @no_elements(
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
func.func @no_elements(%a: tensor<8x0x?xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %a [[0, 1, 2]] : tensor<8x0x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @stride_of_one_element(
// CHECK:         tensor.extract_slice %{{.*}} [1, 4] [1, 2]
func.func @stride_of_one_element(%a: tensor<?x?xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %a[%i, 0] [1, 4] [3, 2] : tensor<?x?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A size that the result's type says is not given a second time, which bufferization rejects.
// CHECK-LABEL: func.func @expand_to_a_known_size(
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
func.func @expand_to_a_known_size(%x: tensor<32xf32>, %n: index) -> tensor<8x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<32xf32> into tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// One element has no stride, also where a constant says that it is one.
// CHECK-LABEL: func.func @constant_size
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [%{{.*}}, 1] [1, 1]
func.func @constant_size(%x: tensor<?xi32>, %y: tensor<1x1xi32>) -> tensor<1x1xi32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.insert_slice %x into %y[0, 0] [%c1, 1] [2, 1] : tensor<?xi32> into tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}

// -----

// Many operands of the kernel's result are stored one by one.
// CHECK-LABEL: func.func @concat_of_many
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<2x?xf32>)
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         %[[FIRST:.*]] = memref.subview %[[OUT]][0, 0] [2, %[[N]]] [1, 1]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[FIRST]]
// CHECK:         %[[SECOND:.*]] = memref.subview %[[OUT]][0, %[[N]]] [2, 4] [1, 1]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[SECOND]]
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @concat_of_many(%x0: tensor<2x?xf32>, %x1: tensor<2x4xf32>, %x2: tensor<2x4xf32>, %x3: tensor<2x4xf32>, %x4: tensor<2x4xf32>, %x5: tensor<2x4xf32>, %x6: tensor<2x4xf32>, %x7: tensor<2x4xf32>, %x8: tensor<2x4xf32>, %x9: tensor<2x4xf32>, %x10: tensor<2x4xf32>, %x11: tensor<2x4xf32>, %x12: tensor<2x4xf32>, %x13: tensor<2x4xf32>, %x14: tensor<2x4xf32>, %x15: tensor<2x4xf32>, %x16: tensor<2x4xf32>, %out: memref<2x?xf32>) {
  %0 = tensor.concat dim(1) %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16 : (tensor<2x?xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<2x?xf32>, memref<2x?xf32>) -> ()
  return
}

// -----

// Upstream's decomposition is for floats.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @softmax_of_complex
func.func @softmax_of_complex(%x: tensor<2x4xcomplex<f32>>, %o: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  // CHECK: linalg.softmax
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x4xcomplex<f32>>) outs(%o : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}

// -----

// Scalars are neither packed nor unpacked.
// CHECK-LABEL: func.func @packed_scalar
// CHECK-NEXT:    return %arg0
func.func @packed_scalar(%x: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  %0 = linalg.pack %x inner_dims_pos = [] inner_tiles = [] into %o : tensor<f32> -> tensor<f32>
  %1 = linalg.unpack %0 inner_dims_pos = [] inner_tiles = [] into %o : tensor<f32> -> tensor<f32>
  return %1 : tensor<f32>
}
