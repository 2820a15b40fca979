// RUN: mica-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @concat_of_one_is_its_operand(
// CHECK-NEXT: return %arg0
func.func @concat_of_one_is_its_operand(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.concat %x axis = 0 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @slice_of_everything_is_its_operand(
// CHECK-NEXT: return %arg0
func.func @slice_of_everything_is_its_operand(%x: tensor<4x8xf32>, %o: index) -> tensor<4x8xf32> {
  %0 = mica.slice %x offsets = [%o, 0] sizes = [4, 8] strides = [1, 1] : (tensor<4x8xf32>, index) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A size of ? may be another one at run time.
// CHECK-LABEL: func.func @slice_of_unknown_size_stays(
// CHECK: mica.slice
func.func @slice_of_unknown_size_stays(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = mica.slice %x offsets = [0] sizes = [%n] strides = [1] : (tensor<?xf32>, index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @tile_once_is_its_operand(
// CHECK-NEXT: return %arg0
func.func @tile_once_is_its_operand(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.tile %x multiples = [1, 1] : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @flip_twice_changes_nothing(
// CHECK-NEXT: return %arg0
func.func @flip_twice_changes_nothing(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.flip %x dims = [0, 1] : tensor<?x8xf32>
  %1 = mica.flip %0 dims = [0, 1] : tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @flip_of_size_one_changes_nothing(
// CHECK-NEXT: return %arg0
func.func @flip_of_size_one_changes_nothing(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = mica.flip %x dims = [0] : tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// CHECK-LABEL: func.func @flip_of_others_stays(
// CHECK-COUNT-2: mica.flip
func.func @flip_of_others_stays(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.flip %x dims = [0] : tensor<4x8xf32>
  %1 = mica.flip %0 dims = [1] : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
