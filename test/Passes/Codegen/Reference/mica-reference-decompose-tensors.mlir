// RUN: mica-opt %s -split-input-file --mica-reference-decompose-tensors | FileCheck %s

// CHECK-LABEL: func.func @splat(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[E]] : tensor<4xf32>)
func.func @splat(%v: f32) -> tensor<4xf32> {
  %0 = tensor.splat %v : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT:     linalg.softmax
// CHECK:         math.exp
// CHECK:         arith.divf
func.func @softmax(%x: tensor<2x4xf32>, %e: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @pack(
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [4, 2, 8]
// CHECK:         linalg.transpose {{.*}} permutation = [0, 2, 1]
func.func @pack(%x: tensor<8x8xf32>, %e: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<8x8xf32> -> tensor<4x8x2xf32>
  return %0 : tensor<4x8x2xf32>
}

// -----

// CHECK-LABEL: func.func @unpack(
// CHECK:         linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]]
func.func @unpack(%x: tensor<4x8x2xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4x8x2xf32> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A part without elements would lie behind the end, which upstream's verifier does not take.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[A:.*]]: tensor<2x4xf32>,
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK-NEXT:    %[[R:.*]] = tensor.insert_slice %[[A]] into %[[E]][0, 0] [2, 4] [1, 1]
// CHECK-NEXT:    return %[[R]]
func.func @concat(%a: tensor<2x4xf32>, %none: tensor<0x4xf32>) -> tensor<2x4xf32> {
  %0 = tensor.concat dim(0) %a, %none : (tensor<2x4xf32>, tensor<0x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @pad_of_nothing(
// CHECK-SAME:    %{{.*}}: tensor<0xf32>, %[[V:.*]]: f32)
// CHECK:         tensor.generate
// CHECK:           tensor.yield %[[V]] : f32
func.func @pad_of_nothing(%a: tensor<0xf32>, %v: f32) -> tensor<3xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<0xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         tensor.insert_slice %{{.*}} into %[[F]][1] [4] [1]
func.func @pad(%a: tensor<4xf32>, %v: f32) -> tensor<7xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// Views that upstream's bufferization does not take: a size that the type knows, a stride that names no element.
// CHECK-LABEL: func.func @sizes(
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 4]
func.func @sizes(%a: tensor<8xf32>) -> tensor<2x4xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%c2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @stride(
// CHECK:         tensor.extract_slice %{{.*}}[0] [1] [1]
func.func @stride(%a: tensor<8xf32>) -> tensor<1xf32> {
  %0 = tensor.extract_slice %a[0] [1] [3] : tensor<8xf32> to tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @poison(
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
func.func @poison() -> tensor<?xf32> {
  %0 = ub.poison : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Sums in f64, with matrices that are not rounded to f32.
// CHECK-LABEL: func.func @winograd(
// CHECK:         arith.constant dense<{{.*}}> : tensor<4x3xf64>
// CHECK:         scf.for {{.*}} -> (f64)
// CHECK:         arith.truncf %{{.*}} : f64 to f32
func.func @winograd(%f: tensor<1x3x3x1xf32>, %e: tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<1x3x3x1xf32>) outs(%e : tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32>
  return %0 : tensor<4x4x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @collapse(
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
func.func @collapse(%a: tensor<0x?xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<0x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @bitcast(
// CHECK-NOT:     tensor.bitcast
// CHECK:         %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x3xi32>
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<?x3xf32>) outs(%[[E]] : tensor<?x3xi32>)
// CHECK:           arith.bitcast %{{.*}} : f32 to i32
func.func @bitcast(%x: tensor<?x3xf32>) -> tensor<?x3xi32> {
  %0 = tensor.bitcast %x : tensor<?x3xf32> to tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
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

// The destination may be an argument, which is not written to.
// CHECK-LABEL: func.func @materialized
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK: linalg.copy ins(%[[X]] : tensor<4xf32>) outs(%[[Y]] : tensor<4xf32>)
func.func @materialized(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.materialize_in_destination %x in %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Upstream lowers no pack whose tiles have sizes that are not known.
// CHECK-LABEL: func.func @packed_by
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index, %[[OUT:.*]]: tensor<?x?xf32>
// CHECK-NOT: linalg.pack
// CHECK: linalg.generic {{.*}} outs(%[[OUT]] : tensor<?x?xf32>)
// CHECK: %[[TILE:.*]] = linalg.index 0
// CHECK: %[[WITHIN:.*]] = linalg.index 1
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[TILE]], %{{.*}}, %[[WITHIN]]]
// CHECK: tensor.extract %{{.*}}[%[[AT]]]
func.func @packed_by(%x: tensor<?xf32>, %n: index, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [%n] into %out : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
