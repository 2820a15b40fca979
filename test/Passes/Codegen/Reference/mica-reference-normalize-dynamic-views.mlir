// RUN: mica-opt %s --mica-reference-normalize-dynamic-views | FileCheck %s

// The rows of a slice do not lie side by side, whatever the sizes turn out to be.
// CHECK-LABEL: func.func @slice_as_contiguous(
// CHECK-SAME: %[[V:.*]]: memref<?x1x?xf32, strided<[?, ?, 1]>>
// CHECK-DAG: %[[A:.*]] = memref.dim %[[V]], %c0
// CHECK-DAG: %[[B:.*]] = memref.dim %[[V]], %c2
// CHECK: %[[COPY:.*]] = memref.alloc(%[[A]], %[[B]]) {alignment = 64 : i64} : memref<?x1x?xf32>
// CHECK: memref.copy %[[V]], %[[COPY]]
// CHECK-NOT: memref.cast
// CHECK: return %[[COPY]]
func.func @slice_as_contiguous(%v: memref<?x1x?xf32, strided<[?, ?, 1]>>) -> memref<?x1x?xf32> {
  %0 = memref.cast %v : memref<?x1x?xf32, strided<[?, ?, 1]>> to memref<?x1x?xf32>
  return %0 : memref<?x1x?xf32>
}

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @cast_of_a_size_stays(
// CHECK: memref.cast
func.func @cast_of_a_size_stays(%v: memref<4xf32>) -> memref<?xf32> {
  %0 = memref.cast %v : memref<4xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func @two_unknown_sizes_of_one(
// CHECK-SAME: %[[V:.*]]: memref<2x?xf32>, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[V]]
// CHECK: %[[AT2:.*]] = arith.muli %[[STRIDES]]#1, %[[B]] : index
// CHECK: %[[AT1:.*]] = arith.muli %[[AT2]], %[[A]] : index
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [2, 3, %[[A]], %[[B]]], strides: [%{{.*}}, %[[AT1]], %[[AT2]], 1]
// CHECK-NOT: memref.expand_shape
func.func @two_unknown_sizes_of_one(%v: memref<2x?xf32>, %a: index, %b: index) -> memref<2x3x?x?xf32> {
  %0 = memref.expand_shape %v [[0], [1, 2, 3]] output_shape [2, 3, %a, %b] : memref<2x?xf32> into memref<2x3x?x?xf32>
  return %0 : memref<2x3x?x?xf32>
}

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @one_unknown_size_stays(
// CHECK: memref.expand_shape
func.func @one_unknown_size_stays(%v: memref<?xf32>, %a: index) -> memref<2x?xf32> {
  %0 = memref.expand_shape %v [[0, 1]] output_shape [2, %a] : memref<?xf32> into memref<2x?xf32>
  return %0 : memref<2x?xf32>
}

// CHECK-LABEL: func.func @shape_of_integers(
// CHECK-SAME: %[[V:.*]]: memref<?xf32>, %[[S:.*]]: memref<2xi32>
// CHECK: %[[SECOND:.*]] = memref.load %[[S]][%{{.*}}] : memref<2xi32>
// CHECK: %[[B:.*]] = arith.index_cast %[[SECOND]] : i32 to index
// CHECK: %[[FIRST:.*]] = memref.load %[[S]][%{{.*}}] : memref<2xi32>
// CHECK: %[[A:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK: memref.reinterpret_cast %[[V]] to offset: [0], sizes: [%[[A]], %[[B]]], strides: [%{{.*}}, 1] : memref<?xf32> to memref<?x?xf32>
func.func @shape_of_integers(%v: memref<?xf32>, %s: memref<2xi32>) -> memref<?x?xf32> {
  %0 = memref.reshape %v(%s) : (memref<?xf32>, memref<2xi32>) -> memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
