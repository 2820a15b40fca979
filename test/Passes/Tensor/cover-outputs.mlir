// RUN: mica-opt %s --mica-tensor-cover-outputs --split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>
#behind = affine_map<(i) -> (2 * i + 1)>

// Every other element: a slice, of which only the shape is needed.
// CHECK-LABEL: func.func @stride(
// CHECK-SAME:    %[[X:.*]]: tensor<3xf32>, %[[Y:.*]]: tensor<7xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<3xf32>
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]]]{{.*}} ins(%[[X]] {{.*}} outs(%[[E]]
// CHECK:         %[[W:.*]] = tensor.insert_slice %[[R]] into %[[Y]][1] [3] [2]
// CHECK:         return %[[W]]
func.func @stride(%x: tensor<3xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #behind], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%y : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#row = affine_map<(i) -> (1, i)>

// One row, of a size known at run time only, whose old elements are read.
// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<4x?xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[Y]][1, 0] [1, %[[N]]] [1, 1] : tensor<4x?xf32> to tensor<?xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} outs(%[[S]]
// CHECK:         tensor.insert_slice %[[R]] into %[[Y]][1, 0] [1, %[[N]]] [1, 1]
func.func @row(%x: tensor<?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<4x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

#diagonal = affine_map<(i) -> (i, i)>

// No slice: loops. Upstream's canonicalization takes this op for the identity.
// CHECK-LABEL: func.func @diagonal(
// CHECK-SAME:    %[[X:.*]]: tensor<3x3xf32>, %[[Y:.*]]: tensor<3x3xf32>)
// CHECK:         mica_sched.buffer_region reads(%[[X]] : tensor<3x3xf32>) updates(%[[Y]] : tensor<3x3xf32>)
// CHECK:         ^bb0(%[[FROM:.*]]: memref<3x3xf32>, %[[TO:.*]]: memref<3x3xf32>):
// CHECK:           scf.for %[[I:.*]] =
// CHECK:             %[[V:.*]] = memref.load %[[FROM]][%[[I]], %[[I]]]
// CHECK:             memref.store %[[V]], %[[TO]][%[[I]], %[[I]]]
func.func @diagonal(%x: tensor<3x3xf32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [#diagonal, #diagonal], iterator_types = ["parallel"]}
      ins(%x : tensor<3x3xf32>) outs(%y : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
#kept = affine_map<(i, j) -> (i, 0)>

// The last column wins, and of none the init stays. A sum has an accumulator, and a dimension of size 1 is written whole.
// CHECK-LABEL: func.func @last(
// CHECK:         mica_sched.buffer_region
// MUTATION: stays green, it is written whole.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     buffer_region
// CHECK-NOT:     slice
// CHECK:         return
func.func @last(%x: tensor<4x?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @sum(%x: tensor<4x?xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%y : tensor<4x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// Loops without turns write nothing: no slice of an output without elements is taken, which would lie outside of it.
// CHECK-LABEL: func.func @no_turns
// CHECK-SAME:    %{{.*}}: tensor<0xi64>, %[[INIT:.*]]: tensor<2x0xi64>
// CHECK-NEXT:    return %[[INIT]]
func.func @no_turns(%a: tensor<0xi64>, %b: tensor<2x0xi64>) -> tensor<2x0xi64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (1, d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<0xi64>) outs(%b : tensor<2x0xi64>) {
  ^bb0(%x: i64, %y: i64):
    linalg.yield %x : i64
  } -> tensor<2x0xi64>
  return %0 : tensor<2x0xi64>
}

// Nor does one of a size that is known at run time only, into an output without elements.
// CHECK-LABEL: func.func @nothing_to_write
// CHECK-SAME:    %{{.*}}: tensor<?xi64>, %[[INIT:.*]]: tensor<2x0xi64>
// CHECK-NEXT:    return %[[INIT]]
func.func @nothing_to_write(%a: tensor<?xi64>, %b: tensor<2x0xi64>) -> tensor<2x0xi64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (1, d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<?xi64>) outs(%b : tensor<2x0xi64>) {
  ^bb0(%x: i64, %y: i64):
    linalg.yield %x : i64
  } -> tensor<2x0xi64>
  return %0 : tensor<2x0xi64>
}

// A size that is a constant's value is one of the slice's type.
// CHECK-LABEL: func.func @constant_size
// CHECK: tensor.extract_slice %{{.*}}[3] [5] [1] : tensor<?xf32> to tensor<5xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3] [5] [1] : tensor<5xf32> into tensor<?xf32>
func.func @constant_size(%x: tensor<5xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c5 = arith.constant 5 : index
  %0 = tensor.extract_slice %x[0] [%c5] [1] : tensor<5xf32> to tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 3)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
