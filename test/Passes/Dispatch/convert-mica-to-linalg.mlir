// RUN: mica-opt %s -convert-mica-to-linalg -split-input-file | FileCheck %s

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @repeated_dimension_leaves_the_operand(
// CHECK-SAME: %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<1x8xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0, 1]] : tensor<1x8xf32> into tensor<8xf32>
// CHECK: %[[OUT:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x8xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%[[A]], %[[FLAT]] : tensor<?x8xf32>, tensor<8xf32>) outs(%[[OUT]] : tensor<?x8xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT: linalg.yield %[[S]] : f32
// CHECK: return %[[R]]
func.func @repeated_dimension_leaves_the_operand(%a: tensor<?x8xf32>, %b: tensor<1x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.add %a, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @integer_division_is_kept_from_trapping(
// CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %{{.*}}: i32):
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1 : i32
// CHECK: %[[BY0:.*]] = arith.cmpi eq, %[[Y]], %[[ZERO]]
// CHECK: %[[BYM:.*]] = arith.cmpi eq, %[[Y]], %[[MINUS]]
// CHECK: %[[SPECIAL:.*]] = arith.ori %[[BY0]], %[[BYM]]
// CHECK: %[[SAFE:.*]] = arith.select %[[SPECIAL]], %[[ONE]], %[[Y]]
// CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[SAFE]]
// CHECK: %[[NEG:.*]] = arith.subi %[[ZERO]], %[[X]]
// CHECK: %[[W:.*]] = arith.select %[[BYM]], %[[NEG]], %[[Q]]
// CHECK: %[[R:.*]] = arith.select %[[BY0]], %[[ZERO]], %[[W]]
// CHECK: linalg.yield %[[R]]
func.func @integer_division_is_kept_from_trapping(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = mica.div %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @relu_keeps_nan(
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[C:.*]] = arith.cmpf ugt, %[[X]], %[[ZERO]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.select %[[C]], %[[X]], %[[ZERO]] : f32
// CHECK-NEXT: linalg.yield %[[R]]
func.func @relu_keeps_nan(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @gelu_by_erf(
// CHECK: ^bb0(%[[X:.*]]: f64, %{{.*}}: f64):
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %{{.*}} : f64
// CHECK: %[[E:.*]] = math.erf %[[S]] : f64
// CHECK: %[[H:.*]] = arith.mulf %{{.*}}, %[[X]] : f64
// CHECK: %[[B:.*]] = arith.addf %{{.*}}, %[[E]] : f64
// CHECK: arith.mulf %[[H]], %[[B]] : f64
func.func @gelu_by_erf(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = mica.gelu %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// CHECK-LABEL: func.func @plain_matmul(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x2xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<4x2xf32>
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[OUT]] : tensor<4x2xf32>)
// CHECK: linalg.matmul ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x2xf32>) outs(%[[INIT]] : tensor<4x2xf32>)
func.func @plain_matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = mica.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @transposed_matmul_has_transposed_maps(
// CHECK: linalg.matmul indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]]
func.func @transposed_matmul_has_transposed_maps(%a: tensor<8x4xf32>, %b: tensor<2x8xf32>) -> tensor<4x2xf32> {
  %0 = mica.matmul %a, %b transpose_a transpose_b : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-LABEL: func.func @one_batch_dimension_is_batch_matmul(
// CHECK: linalg.batch_matmul indexing_maps = [{{.*}}, #[[RHS]], {{.*}}]
func.func @one_batch_dimension_is_batch_matmul(%a: tensor<5x4x8xf32>, %b: tensor<5x2x8xf32>) -> tensor<5x4x2xf32> {
  %0 = mica.matmul %a, %b transpose_b : (tensor<5x4x8xf32>, tensor<5x2x8xf32>) -> tensor<5x4x2xf32>
  return %0 : tensor<5x4x2xf32>
}

// -----

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @repeated_batches(
// CHECK-SAME: %[[A:.*]]: tensor<1x3x4x8xi32>, %[[B:.*]]: tensor<5x1x8x2xi32>
// CHECK-DAG: %[[LA:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0, 1], [2], [3]]
// CHECK-DAG: %[[LB:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0, 1], [2], [3]]
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%[[LA]], %[[LB]]
// CHECK: %[[P:.*]] = arith.muli
// CHECK: arith.addi %{{.*}}, %[[P]]
func.func @repeated_batches(%a: tensor<1x3x4x8xi32>, %b: tensor<5x1x8x2xi32>) -> tensor<5x3x4x2xi32> {
  %0 = mica.matmul %a, %b : (tensor<1x3x4x8xi32>, tensor<5x1x8x2xi32>) -> tensor<5x3x4x2xi32>
  return %0 : tensor<5x3x4x2xi32>
}

// -----

// CHECK-LABEL: func.func @padded_conv_starts_from_its_bias(
// CHECK-SAME: %[[X:.*]]: tensor<1x3x8x8xf32>, %[[W:.*]]: tensor<4x3x3x3xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK-DAG: %[[INIT:.*]] = linalg.broadcast ins(%[[B]] : tensor<4xf32>) {{.*}} dimensions = [0, 2, 3]
// CHECK-DAG: %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 0, 2]
// CHECK: linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
// CHECK-SAME: ins(%[[PADDED]], %[[W]] : {{.*}}) outs(%[[INIT]] : tensor<1x4x4x8xf32>)
func.func @padded_conv_starts_from_its_bias(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x8xf32> {
  %0 = mica.conv2d %x, %w bias %b layout = nchw_fchw strides = [2, 1] pads = [1, 0, 0, 2]
     : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @max_pool_pads_with_the_least_value(
// CHECK: %[[PADDED:.*]] = tensor.pad
// CHECK: tensor.yield %[[LEAST:.*]] : i32
// CHECK: linalg.pooling_nhwc_max {{.*}} ins(%[[PADDED]]
func.func @max_pool_pads_with_the_least_value(%x: tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> {
  %0 = mica.max_pool %x layout = nhwc kernel = [3, 3] pads = [1, 1, 1, 1] : tensor<1x4x4x1xi32>
  return %0 : tensor<1x4x4x1xi32>
}

// -----

// Without count_include_pad the divisor is what the window covers of the image: its elements before the image's end less
// those before its begin.
// CHECK-LABEL: func.func @avg_pool_counts_covered_elements(
// CHECK: %[[SUMS:.*]] = linalg.pooling_nhwc_sum
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]]
// CHECK: linalg.index 1
// CHECK: %[[LAST:.*]] = arith.minsi
// CHECK: %[[FIRST:.*]] = arith.minsi
// CHECK: %[[H:.*]] = arith.subi %[[LAST]], %[[FIRST]] : index
// CHECK: linalg.index 2
// CHECK: %[[LAST:.*]] = arith.minsi
// CHECK: %[[FIRST:.*]] = arith.minsi
// CHECK: %[[W:.*]] = arith.subi %[[LAST]], %[[FIRST]] : index
// CHECK: %[[N:.*]] = arith.muli %[[H]], %[[W]] : index
// CHECK: %[[I:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[F:.*]] = arith.sitofp %[[I]] : i64 to f32
// CHECK: arith.divf %{{.*}}, %[[F]]
func.func @avg_pool_counts_covered_elements(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %0 = mica.avg_pool %x layout = nhwc kernel = [3, 3] pads = [1, 1, 1, 1] : tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}

// -----

// The kept dimension of a reduction vanishes again where its user repeats it.
// CHECK-LABEL: func.func @kept_dimension_costs_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]]
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[MAX]] : tensor<?x8xf32>, tensor<?xf32>)
func.func @kept_dimension_costs_nothing(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.reduce max %x dims = [1] keep_dims : (tensor<?x8xf32>) -> tensor<?x1xf32>
  %1 = mica.sub %x, %0 : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @mean_of_unknown_count(
// CHECK-SAME: %[[X:.*]]: tensor<4x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: arith.index_cast %[[N]] : index to i64
// CHECK: arith.divf
func.func @mean_of_unknown_count(%x: tensor<4x?xf32>) -> tensor<4xf32> {
  %0 = mica.reduce mean %x dims = [1] : (tensor<4x?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What a reduction of no element gives; a mean of small floats is rounded once, after the division.
// CHECK-LABEL: func.func @reductions_start_neutral(
// CHECK-DAG: linalg.fill ins(%[[ONE:.*]] : f16)
// CHECK-DAG: arith.constant 1.000000e+00 : f16
// CHECK: arith.mulf
// CHECK: %[[INF:.*]] = arith.constant 0x7C00 : f16
// CHECK: linalg.fill ins(%[[INF]] : f16)
// CHECK: arith.minimumf
// CHECK: linalg.fill ins(%{{.*}} : i1)
// CHECK: arith.andi {{.*}} : i1
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: arith.addf %{{.*}}, %[[X]] : f32
// CHECK: %[[MEAN:.*]] = arith.divf
// CHECK: arith.truncf %[[MEAN]] : f32 to f16
func.func @reductions_start_neutral(%x: tensor<4x8xf16>, %b: tensor<4x8xi1>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xi1>, tensor<4xf16>) {
  %0 = mica.reduce prod %x dims = [1] : (tensor<4x8xf16>) -> tensor<4xf16>
  %1 = mica.reduce min %x dims = [1] : (tensor<4x8xf16>) -> tensor<4xf16>
  %2 = mica.reduce min %b dims = [1] : (tensor<4x8xi1>) -> tensor<4xi1>
  %3 = mica.reduce mean %x dims = [1] : (tensor<4x8xf16>) -> tensor<4xf16>
  return %0, %1, %2, %3 : tensor<4xf16>, tensor<4xf16>, tensor<4xi1>, tensor<4xf16>
}

// -----

// CHECK-LABEL: func.func @softmax_subtracts_the_maximum(
// CHECK-SAME: %[[X:.*]]: tensor<3x10xf32>
// CHECK: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[LEAST]] : f32)
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x10xf32>) outs(%[[INIT]] : tensor<3xf32>)
// CHECK: arith.maximumf
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]]
// CHECK: %[[BELOW:.*]] = arith.subf
// CHECK: math.exp %[[BELOW]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[POWERS]] : tensor<3x10xf32>) outs(%{{.*}} : tensor<3xf32>)
// CHECK: arith.addf
// CHECK: %[[INVERSE:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<3xf32>)
// CHECK: arith.divf
// CHECK: linalg.generic {{.*}} ins(%[[POWERS]], %[[INVERSE]]
// CHECK: arith.mulf
func.func @softmax_subtracts_the_maximum(%x: tensor<3x10xf32>) -> tensor<3x10xf32> {
  %0 = mica.softmax %x axis = 1 : tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// What lies between the input and the result is rounded to neither of their types, which may have no infinity either.
// CHECK-LABEL: func.func @softmax_of_a_narrow_type(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3xf8E4M3FN>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x10xf32>)
// CHECK: math.exp %{{.*}} : f32
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x10xf8E4M3FN>)
// CHECK: arith.truncf %{{.*}} : f32 to f8E4M3FN
func.func @softmax_of_a_narrow_type(%x: tensor<3x10xf8E4M3FN>) -> tensor<3x10xf8E4M3FN> {
  %0 = mica.softmax %x axis = 1 : tensor<3x10xf8E4M3FN>
  return %0 : tensor<3x10xf8E4M3FN>
}

// -----

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-DAG: #[[PARAMETERS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @layer_norm_has_row_statistics(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>, %[[S:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<3x4xf32>
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]} ins(%[[X]] : tensor<2x3x4xf32>) outs(%{{.*}} : tensor<2xf32>)
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<2xf32>)
// CHECK: arith.constant 1.200000e+01 : f32
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MEAN]] : tensor<2x3x4xf32>, tensor<2xf32>)
// CHECK: %[[VARIANCE:.*]] = linalg.generic {{.*}} ins(%[[SQUARES]] : tensor<2xf32>)
// CHECK: %[[INVERSE:.*]] = linalg.generic {{.*}} ins(%[[VARIANCE]] : tensor<2xf32>)
// CHECK: math.sqrt
// CHECK: arith.divf
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROWS]], #[[ROWS]], #[[PARAMETERS]], #[[PARAMETERS]], #[[ALL]]]
// CHECK-SAME: ins(%[[X]], %[[INVERSE]], %[[MEAN]], %[[S]], %[[B]]
func.func @layer_norm_has_row_statistics(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = mica.layer_norm %x scale %s : tensor<3x4xf32> bias %b : tensor<3x4xf32> axis = 1 epsilon = 1.0e-5 : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_joins_and_splits(
// CHECK-SAME: %[[X:.*]]: tensor<?x5x4xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<?x5x4xf32> into tensor<?x20xf32>
// CHECK: %[[BACK:.*]] = tensor.expand_shape %[[ROWS]] {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 4, 5] : tensor<?x20xf32> into tensor<?x4x5xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[BACK]] {{\[\[}}0, 1, 2]] : tensor<?x4x5xf32> into tensor<?xf32>
// CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1]] output_shape [2, %{{.*}}] : tensor<?xf32> into tensor<2x?xf32>
func.func @reshape_joins_and_splits(%x: tensor<?x5x4xf32>) -> tensor<2x?xf32> {
  %0 = mica.reshape %x : (tensor<?x5x4xf32>) -> tensor<?x20xf32>
  %1 = mica.reshape %0 : (tensor<?x20xf32>) -> tensor<?x4x5xf32>
  %2 = mica.reshape %1 : (tensor<?x4x5xf32>) -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_of_scalars(
// CHECK-SAME: %[[X:.*]]: tensor<f32>
// CHECK: %[[ONE:.*]] = tensor.expand_shape %[[X]] [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK: tensor.collapse_shape %[[ONE]] [] : tensor<1x1xf32> into tensor<f32>
func.func @reshape_of_scalars(%x: tensor<f32>) -> tensor<f32> {
  %0 = mica.reshape %x : (tensor<f32>) -> tensor<1x1xf32>
  %1 = mica.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @moves(
// CHECK-SAME: %[[X:.*]]: tensor<4x1xf32>, %[[N:.*]]: index
// CHECK: %[[E:.*]] = tensor.empty() : tensor<1x4xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<4x1xf32>) outs(%[[E]] : tensor<1x4xf32>) permutation = [1, 0]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1]] : tensor<1x4xf32> into tensor<4xf32>
// CHECK: linalg.broadcast ins(%[[FLAT]] : tensor<4xf32>) outs(%{{.*}} : tensor<?x3x4xf32>) dimensions = [0, 1]
func.func @moves(%x: tensor<4x1xf32>, %n: index) -> tensor<?x3x4xf32> {
  %0 = mica.transpose %x permutation = [1, 0] : (tensor<4x1xf32>) -> tensor<1x4xf32>
  %1 = mica.broadcast %0 sizes(%n) : (tensor<1x4xf32>, index) -> tensor<?x3x4xf32>
  return %1 : tensor<?x3x4xf32>
}

// -----

// Sizes are said in terms of the arguments, whatever ops lie between.
// CHECK-LABEL: func.func @sizes_come_from_arguments(
// CHECK-SAME: %[[X:.*]]: tensor<?x8x8x3xf32>, %[[W:.*]]: tensor<4x2x2x3xf32>
// CHECK-COUNT-4: tensor.dim %[[X]], %{{.*}} : tensor<?x8x8x3xf32>
// CHECK-NOT: tensor.dim %{{.*}} : tensor<?x7x7x4xf32>
// CHECK-NOT: tensor.dim %{{.*}} : tensor<?x49x4xf32>
// CHECK: return
func.func @sizes_come_from_arguments(%x: tensor<?x8x8x3xf32>, %w: tensor<4x2x2x3xf32>) -> tensor<?x49x4xf32> {
  %0 = mica.conv2d %x, %w layout = nhwc_fhwc : (tensor<?x8x8x3xf32>, tensor<4x2x2x3xf32>) -> tensor<?x7x7x4xf32>
  %1 = mica.exp %0 : tensor<?x7x7x4xf32>
  %2 = mica.reshape %1 : (tensor<?x7x7x4xf32>) -> tensor<?x49x4xf32>
  %3 = mica.softmax %2 axis = 2 : tensor<?x49x4xf32>
  return %3 : tensor<?x49x4xf32>
}

// -----

// A result type may know more or less than what follows from the operands.
// CHECK-LABEL: func.func @casts_to_the_written_type(
// CHECK: %[[R:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: %[[C:.*]] = tensor.cast %[[R]] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK: return %[[C]]
func.func @casts_to_the_written_type(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.sub %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Operands are extended inside of the body that multiplies them, which upstream's named ops do by themselves.
// CHECK-LABEL: func.func @sums_in_a_wider_type(
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins(%{{.*}} : tensor<1x8x8x4xi8>, tensor<3x3x4x8xi8>) outs(%{{.*}} : tensor<1x6x6x8xi32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x6x2x4xi32>)
// CHECK: %[[L:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[R:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli %[[L]], %[[R]] : i32
func.func @sums_in_a_wider_type(%x: tensor<1x8x8x4xi8>, %w: tensor<3x3x4x8xi8>, %g: tensor<3x3x2x8xi8>)
    -> (tensor<1x6x6x8xi32>, tensor<1x6x6x8xi32>) {
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x4xi8>, tensor<3x3x4x8xi8>) -> tensor<1x6x6x8xi32>
  %1 = mica.conv2d %x, %g layout = nhwc_hwcf groups = 2 : (tensor<1x8x8x4xi8>, tensor<3x3x2x8xi8>) -> tensor<1x6x6x8xi32>
  return %0, %1 : tensor<1x6x6x8xi32>, tensor<1x6x6x8xi32>
}
