// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-drop-unit-dims))' -split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#stat = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// CHECK-LABEL: func.func @statistics_become_one_value_per_row
func.func @statistics_become_one_value_per_row(%x: tensor<1x32x64xf32>, %m: tensor<1x32x1xf32>) -> tensor<1x32x64xf32> {
  %e = tensor.empty() : tensor<1x32x64xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "parallel"]
  // CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<32x64xf32>, tensor<32xf32>)
  %0 = linalg.generic {indexing_maps = [#id, #stat, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<1x32x64xf32>, tensor<1x32x1xf32>) outs(%e : tensor<1x32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x32x64xf32>
  return %0 : tensor<1x32x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @epilogue_of_a_product_keeps_its_loops
func.func @epilogue_of_a_product_keeps_its_loops(%a: tensor<1x16xf32>, %b: tensor<16x8xf32>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<1x16xf32>, tensor<16x8xf32>) outs(%c : tensor<1x8xf32>) -> tensor<1x8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%{{.*}} : tensor<1x8xf32>)
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: func.func @a_batch_of_one_product_is_no_batch
func.func @a_batch_of_one_product_is_no_batch(%x: tensor<1x4x16xf32>, %y: tensor<1x16x1xf32>, %z: tensor<1x4x1xf32>) -> tensor<1x4x1xf32> {
  // The column of one element stays: it says what kind of product this is.
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4x16xf32>, tensor<16x1xf32>) outs(%{{.*}} : tensor<4x1xf32>)
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<1x4x16xf32>, tensor<1x16x1xf32>) outs(%z : tensor<1x4x1xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x1xf32>
  return %0 : tensor<1x4x1xf32>
}

// -----

#in = affine_map<(a, b, c) -> (a, c, b)>
#out = affine_map<(a, b, c) -> (a, b, c)>

// CHECK-LABEL: func.func @transpose_of_one_matrix
func.func @transpose_of_one_matrix(%x: tensor<1x4x16xf32>) -> tensor<1x16x4xf32> {
  %e = tensor.empty() : tensor<1x16x4xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%{{.*}} : tensor<4x16xf32>) outs(%{{.*}} : tensor<16x4xf32>)
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x4x16xf32>) outs(%e : tensor<1x16x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<1x16x4xf32>
  return %0 : tensor<1x16x4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> (d1)>

// A sum over one element has no loop to sum in: what it starts from is an operand, as with any op without reductions.
// CHECK-LABEL: func.func @sum_of_one_element(
// CHECK-SAME:    %[[X:.*]]: tensor<1x17xf32>, %[[Z:.*]]: tensor<17xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]
// CHECK-SAME:      ins(%{{.*}}, %[[Z]] : tensor<17xf32>, tensor<17xf32>)
func.func @sum_of_one_element(%x: tensor<1x17xf32>, %z: tensor<17xf32>) -> tensor<17xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<1x17xf32>) outs(%z : tensor<17xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<17xf32>
  return %0 : tensor<17xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A size that one operand says to be 1 and another does not know.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @size_known_by_one(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @size_known_by_one(%x: tensor<1x17xf32>, %y: tensor<?x17xf32>, %e: tensor<?x17xf32>) -> tensor<?x17xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1x17xf32>, tensor<?x17xf32>) outs(%e : tensor<?x17xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x17xf32>
  return %0 : tensor<?x17xf32>
}

// Upstream's canonicalization crashes where a size of the result is known, but not in its type.
// MUTATION: stays green, no dimension is dropped.
// CHECK-LABEL: func.func @size_that_the_type_does_not_say
// CHECK:         tensor.expand_shape
func.func @size_that_the_type_does_not_say(%x: tensor<?xi32>) -> tensor<4x?xi32> {
  %0 = tensor.extract_slice %x[0] [8] [1] : tensor<?xi32> to tensor<8xi32>
  %1 = tensor.cast %0 : tensor<8xi32> to tensor<?xi32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [4, 2] : tensor<?xi32> into tensor<4x?xi32>
  return %2 : tensor<4x?xi32>
}

// A window that stands at one position of a larger image: its size is that of the filter, not of the image.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @window_of_one_position
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
func.func @window_of_one_position(%a: tensor<3xf32>, %f: tensor<?xf32>, %o: tensor<1xf32>, %p: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a + b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %f : tensor<3xf32>, tensor<?xf32>) outs(%o, %p : tensor<1xf32>, tensor<1xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
    %q = arith.subf %x, %y : f32
    %s = arith.addf %q, %z : f32
    %t = arith.addf %w, %x : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<1xf32>, tensor<1xf32>)
  return %r#0, %r#1 : tensor<1xf32>, tensor<1xf32>
}
