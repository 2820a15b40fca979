// RUN: mica-opt %s -convert-mica-to-linalg -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gather_reads_zero_out_of_range(
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg1 : tensor<3xi64>)
// CHECK: ^bb0(%[[I:.*]]: i64, %{{.*}}: f32):
// CHECK: %[[AT:.*]] = arith.index_cast %[[I]] : i64 to index
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : index
// CHECK: %[[SAFE:.*]] = arith.select %[[IN]], %[[AT]], %{{.*}} : index
// CHECK: %[[E:.*]] = tensor.extract %arg0[%[[SAFE]], %{{.*}}] : tensor<5x8xf32>
// CHECK: %[[R:.*]] = arith.select %[[IN]], %[[E]], %{{.*}} : f32
// CHECK: linalg.yield %[[R]]
func.func @gather_reads_zero_out_of_range(%x: tensor<5x8xf32>, %i: tensor<3xi64>) -> tensor<3x8xf32> {
  %0 = mica.gather %x, %i axis = 0 : (tensor<5x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// A table of unknown size may be empty: there is no place that can be read instead.
// CHECK-LABEL: func.func @gather_of_maybe_nothing_reads_in_a_branch(
// CHECK: scf.if
// CHECK-NEXT: tensor.extract
func.func @gather_of_maybe_nothing_reads_in_a_branch(%x: tensor<?x8xf32>, %i: tensor<3xi32>) -> tensor<3x8xf32> {
  %0 = mica.embedding %x, %i : (tensor<?x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// The places are worked through one by one on the operand itself; an index out of range writes no element.
// CHECK-LABEL: func.func @scatter_is_one_parallel_loop(
// CHECK-SAME: %[[X:[^ :]*]]: tensor<5x8xf32>
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %[[X]]
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[ROWS]])
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: %[[AT:.*]] = arith.select %[[IN]]
// CHECK: %[[COUNT:.*]] = arith.select %[[IN]]
// CHECK: %[[OLD:.*]] = tensor.extract_slice %{{.*}}[%[[AT]], 0] [1, %[[COUNT]]]
// CHECK: linalg.generic {{.*}} outs(%[[OLD]] : tensor<?xf32>)
// CHECK: arith.addf
// CHECK: tensor.insert_slice %{{.*}}[%[[AT]], 0] [1, %[[COUNT]]]
// CHECK: tensor.parallel_insert_slice
// CHECK: mica.in_place, mica.loop_kind = "scatter"
func.func @scatter_is_one_parallel_loop(%x: tensor<5x8xf32>, %i: tensor<3xi64>, %u: tensor<3x8xf32>) -> tensor<5x8xf32> {
  %0 = mica.scatter add %x, %i, %u axis = 0 : (tensor<5x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

// CHECK-LABEL: func.func @offset_is_moved_to_where_the_slice_fits(
// CHECK: affine.min
// CHECK: %[[O:.*]] = affine.max
// CHECK: tensor.extract_slice %arg0[%[[O]], 1] [3, 2] [1, 2]
func.func @offset_is_moved_to_where_the_slice_fits(%x: tensor<5x8xf32>, %o: index) -> tensor<3x2xf32> {
  %0 = mica.slice %x offsets = [%o, 1] sizes = [3, 2] strides = [1, 2] : (tensor<5x8xf32>, index) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: func.func @split_is_slices(
// CHECK: tensor.extract_slice %arg0[0, 0] [4, 3] [1, 1]
// CHECK: tensor.extract_slice %arg0[0, 3] [4, 5] [1, 1]
func.func @split_is_slices(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x5xf32>) {
  %0:2 = mica.split %x axis = 1 sizes = [3, 5] : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x5xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<4x5xf32>
}

// -----

// No slice begins behind the last element.
// CHECK-LABEL: func.func @parts_without_elements(
// CHECK-DAG: tensor.extract_slice %arg0[0] [8] [1]
// CHECK-DAG: %[[PART:.*]] = tensor.empty() : tensor<0xf32>
// CHECK-DAG: %[[SLICE:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: return %{{.*}}, %[[PART]], %[[SLICE]]
func.func @parts_without_elements(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<0xf32>, tensor<0xf32>) {
  %0:2 = mica.split %x axis = 0 sizes = [8, 0] : (tensor<8xf32>) -> (tensor<8xf32>, tensor<0xf32>)
  %1 = mica.slice %x offsets = [8] sizes = [0] strides = [1] : (tensor<8xf32>) -> tensor<0xf32>
  return %0#0, %0#1, %1 : tensor<8xf32>, tensor<0xf32>, tensor<0xf32>
}

// -----

// CHECK-LABEL: func.func @tile_repeats_along_a_dimension_of_its_own(
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<4x2x8xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<4x2x8xf32> into tensor<4x16xf32>
func.func @tile_repeats_along_a_dimension_of_its_own(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %0 = mica.tile %x multiples = [1, 2] : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func.func @few_are_kept_in_order_many_are_sorted(
// CHECK: scf.forall
// CHECK: outs(%{{.*}}, %{{.*}}) -> (tensor<4x9x1xf32>, tensor<4x9x1xi64>)
// CHECK: mica.loop_kind = "top_k"
// CHECK: scf.forall
// CHECK: math.ctlz
// CHECK: mica.loop_kind = "top_k"
// CHECK: tensor.extract_slice %{{.*}} [4, 500, 1]
func.func @few_are_kept_in_order_many_are_sorted(%x: tensor<4x1000xf32>) -> (tensor<4x9xf32>, tensor<4x500xf32>) {
  %0:2 = mica.top_k %x k = 9 axis = 1 : (tensor<4x1000xf32>) -> (tensor<4x9xf32>, tensor<4x9xi64>)
  %1:2 = mica.top_k %x k = 500 axis = 1 : (tensor<4x1000xf32>) -> (tensor<4x500xf32>, tensor<4x500xi64>)
  return %0#0, %1#0 : tensor<4x9xf32>, tensor<4x500xf32>
}

// -----

// All heads of a group are rows of one product.
// CHECK-LABEL: func.func @attention_is_two_products(
// CHECK: linalg.batch_matmul
// CHECK-SAME: tensor<4x15x16xf32>, tensor<4x9x16xf32>
// CHECK-SAME: tensor<4x15x9xf32>
// CHECK: linalg.generic
// CHECK-SAME: tensor<2x2x3x5x9xf32>
// CHECK: arith.cmpi sle
// CHECK: linalg.batch_matmul
// CHECK-SAME: tensor<4x15x9xf32>, tensor<4x9x8xf32>
// CHECK-NOT: mica.
func.func @attention_is_two_products(%q: tensor<2x6x5x16xf32>, %k: tensor<2x2x9x16xf32>,
                                     %v: tensor<2x2x9x8xf32>) -> tensor<2x6x5x8xf32> {
  %0 = mica.attention %q, %k, %v causal
     : (tensor<2x6x5x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x8xf32>) -> tensor<2x6x5x8xf32>
  return %0 : tensor<2x6x5x8xf32>
}

// -----

// Scores and weights are f32, which a key shut out by -inf needs where the type has none; the result is rounded once.
// CHECK-LABEL: func.func @attention_of_a_narrow_type(
// CHECK: linalg.batch_matmul
// CHECK-SAME: ins(%{{.*}} : tensor<2x5x16xf8E4M3FN>, tensor<2x9x16xf8E4M3FN>) outs(%{{.*}} : tensor<2x5x9xf32>)
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: linalg.batch_matmul
// CHECK-SAME: ins(%{{.*}} : tensor<2x5x9xf32>, tensor<2x9x8xf8E4M3FN>) outs(%{{.*}} : tensor<2x5x8xf32>)
// CHECK: linalg.generic
// CHECK: arith.truncf %{{.*}} : f32 to f8E4M3FN
func.func @attention_of_a_narrow_type(%q: tensor<1x2x5x16xf8E4M3FN>, %k: tensor<1x2x9x16xf8E4M3FN>,
                                      %v: tensor<1x2x9x8xf8E4M3FN>) -> tensor<1x2x5x8xf8E4M3FN> {
  %0 = mica.attention %q, %k, %v causal
     : (tensor<1x2x5x16xf8E4M3FN>, tensor<1x2x9x16xf8E4M3FN>, tensor<1x2x9x8xf8E4M3FN>) -> tensor<1x2x5x8xf8E4M3FN>
  return %0 : tensor<1x2x5x8xf8E4M3FN>
}

// -----

// CHECK-LABEL: func.func @control_flow_is_that_of_scf(
// CHECK: scf.while (%{{.*}} = %arg1) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[C:.*]] = tensor.extract %arg0[] : tensor<i1>
// CHECK: scf.condition(%[[C]])
// CHECK: %[[B:.*]] = tensor.extract %arg0[] : tensor<i1>
// CHECK: scf.if %[[B]] -> (tensor<4xf32>)
// CHECK: linalg.generic
// CHECK: scf.yield
// CHECK: } else {
// CHECK: scf.yield
func.func @control_flow_is_that_of_scf(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.while(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    mica.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %1 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
      %2 = mica.exp %a : tensor<4xf32>
      mica.yield %2 : tensor<4xf32>
    } else {
      mica.yield %a : tensor<4xf32>
    }
    mica.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Where the sizes say that there is nothing to order there is no loop over rows, though the type does not say it.
// CHECK-LABEL: func.func @sort_of_nothing(
// CHECK-NOT: mica.sort
// CHECK-NOT: scf.forall
// CHECK: return
func.func @sort_of_nothing(%x: tensor<8x?xf32>) -> (tensor<8x?xf32>, tensor<8x?xi64>) {
  %none = arith.constant 0 : index
  %0 = tensor.extract_slice %x[0, 0] [8, %none] [1, 1] : tensor<8x?xf32> to tensor<8x?xf32>
  %1:2 = mica.sort %0 axis = 1 : (tensor<8x?xf32>) -> (tensor<8x?xf32>, tensor<8x?xi64>)
  return %1#0, %1#1 : tensor<8x?xf32>, tensor<8x?xi64>
}
