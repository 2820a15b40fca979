// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null

// Every operation's documented example, then the forms that the examples do not show, parses and prints again.

// CHECK-LABEL: func.func @add_row(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>, %[[B:[a-z0-9]+]]: tensor<1x8xf32>
// CHECK: %[[R:.*]] = mica.add %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @add_row(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sub_integers(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xi32>, %[[B:[a-z0-9]+]]: tensor<4x8xi32>
// CHECK: %[[R:.*]] = mica.sub %[[A]], %[[B]] : tensor<4x8xi32>
// CHECK: return %[[R]]
func.func @sub_integers(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.sub %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @mul_column(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x1xf64>, %[[B:[a-z0-9]+]]: tensor<4x8xf64>
// CHECK: %[[R:.*]] = mica.mul %[[A]], %[[B]] : (tensor<4x1xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
// CHECK: return %[[R]]
func.func @mul_column(%a: tensor<4x1xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %0 = mica.mul %a, %b : (tensor<4x1xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
  return %0 : tensor<4x8xf64>
}

// CHECK-LABEL: func.func @div_outer(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x1xf32>, %[[B:[a-z0-9]+]]: tensor<1x8xf32>
// CHECK: %[[R:.*]] = mica.div %[[A]], %[[B]] : (tensor<4x1xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @div_outer(%a: tensor<4x1xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.div %a, %b : (tensor<4x1xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @max_dynamic(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x8xf32>, %[[B:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK: %[[R:.*]] = mica.max %[[A]], %[[B]] : tensor<?x8xf32>
// CHECK: return %[[R]]
func.func @max_dynamic(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.max %a, %b : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @min_flags(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4xi1>, %[[B:[a-z0-9]+]]: tensor<4xi1>
// CHECK: %[[R:.*]] = mica.min %[[A]], %[[B]] : tensor<4xi1>
// CHECK: return %[[R]]
func.func @min_flags(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = mica.min %a, %b : tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: func.func @neg(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[R:.*]] = mica.neg %[[A]] : tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @neg(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.neg %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @exp(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[R:.*]] = mica.exp %[[A]] : tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @exp(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.exp %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @tanh(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK: %[[R:.*]] = mica.tanh %[[A]] : tensor<?x8xf32>
// CHECK: return %[[R]]
func.func @tanh(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.tanh %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @erf(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf64>
// CHECK: %[[R:.*]] = mica.erf %[[A]] : tensor<4x8xf64>
// CHECK: return %[[R]]
func.func @erf(%x: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %0 = mica.erf %x : tensor<4x8xf64>
  return %0 : tensor<4x8xf64>
}

// CHECK-LABEL: func.func @sigmoid(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[R:.*]] = mica.sigmoid %[[A]] : tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @sigmoid(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.sigmoid %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @relu(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[R:.*]] = mica.relu %[[A]] : tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @relu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.relu %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @gelu(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[R:.*]] = mica.gelu %[[A]] approximate = tanh : tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.gelu %x approximate = tanh : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @silu(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[R:.*]] = mica.silu %[[A]] : tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @silu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.silu %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scores(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x12x64x32xf32>, %[[B:[a-z0-9]+]]: tensor<?x12x64x32xf32>
// CHECK: %[[R:.*]] = mica.matmul %[[A]], %[[B]] transpose_b : (tensor<?x12x64x32xf32>, tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32>
// CHECK: return %[[R]]
func.func @scores(%q: tensor<?x12x64x32xf32>, %k: tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32> {
  %0 = mica.matmul %q, %k transpose_b
     : (tensor<?x12x64x32xf32>, tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32>
  return %0 : tensor<?x12x64x64xf32>
}

// CHECK-LABEL: func.func @row_sums(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x64x8xf32>
// CHECK: %[[R:.*]] = mica.reduce sum %[[A]] dims = [1, 2] keep_dims : (tensor<?x64x8xf32>) -> tensor<?x1x1xf32>
// CHECK: return %[[R]]
func.func @row_sums(%x: tensor<?x64x8xf32>) -> tensor<?x1x1xf32> {
  %0 = mica.reduce sum %x dims = [1, 2] keep_dims : (tensor<?x64x8xf32>) -> tensor<?x1x1xf32>
  return %0 : tensor<?x1x1xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x10xf32>
// CHECK: %[[R:.*]] = mica.softmax %[[A]] axis = 1 : tensor<?x10xf32>
// CHECK: return %[[R]]
func.func @softmax(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %0 = mica.softmax %x axis = 1 : tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x128x64xf32>, %[[B:[a-z0-9]+]]: tensor<64xf32>, %[[C:[a-z0-9]+]]: tensor<64xf32>
// CHECK: %[[R:.*]] = mica.layer_norm %[[A]] scale %[[B]] : tensor<64xf32> bias %[[C]] : tensor<64xf32> axis = 2 epsilon = 1.000000e-05 : tensor<?x128x64xf32>
// CHECK: return %[[R]]
func.func @layer_norm(%x: tensor<?x128x64xf32>, %s: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<?x128x64xf32> {
  %0 = mica.layer_norm %x scale %s : tensor<64xf32> bias %b : tensor<64xf32> axis = 2 epsilon = 1.0e-5
     : tensor<?x128x64xf32>
  return %0 : tensor<?x128x64xf32>
}

// CHECK-LABEL: func.func @constant(
// CHECK: %[[R:.*]] = mica.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK: return %[[R]]
func.func @constant() -> tensor<2x2xf32> {
  %0 = mica.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x12x64x32xf32>
// CHECK: %[[R:.*]] = mica.transpose %[[A]] permutation = [0, 2, 1, 3] : (tensor<?x12x64x32xf32>) -> tensor<?x64x12x32xf32>
// CHECK: return %[[R]]
func.func @transpose(%x: tensor<?x12x64x32xf32>) -> tensor<?x64x12x32xf32> {
  %0 = mica.transpose %x permutation = [0, 2, 1, 3] : (tensor<?x12x64x32xf32>) -> tensor<?x64x12x32xf32>
  return %0 : tensor<?x64x12x32xf32>
}

// CHECK-LABEL: func.func @flatten(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x5x5x16xf32>
// CHECK: %[[R:.*]] = mica.reshape %[[A]] : (tensor<?x5x5x16xf32>) -> tensor<?x400xf32>
// CHECK: return %[[R]]
func.func @flatten(%x: tensor<?x5x5x16xf32>) -> tensor<?x400xf32> {
  %0 = mica.reshape %x : (tensor<?x5x5x16xf32>) -> tensor<?x400xf32>
  return %0 : tensor<?x400xf32>
}

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8xf32>, %[[B:[a-z0-9]+]]: index
// CHECK: %[[R:.*]] = mica.broadcast %[[A]] sizes(%[[B]]) : (tensor<8xf32>, index) -> tensor<?x8xf32>
// CHECK: return %[[R]]
func.func @rows(%x: tensor<8xf32>, %n: index) -> tensor<?x8xf32> {
  %0 = mica.broadcast %x sizes(%n) : (tensor<8xf32>, index) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Forms that the examples do not show.

// CHECK-LABEL: func.func @gelu_default_is_not_printed(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: %[[R:.*]] = mica.gelu %[[A]] : tensor<?xf64>
// CHECK: return %[[R]]
func.func @gelu_default_is_not_printed(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = mica.gelu %x approximate = none : tensor<?xf64>
  return %0 : tensor<?xf64>
}

// CHECK-LABEL: func.func @matmul_one_matrix_for_all_batches(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4x8xi32>, %[[B:[a-z0-9]+]]: tensor<8x2xi32>
// CHECK: %[[R:.*]] = mica.matmul %[[A]], %[[B]] : (tensor<?x4x8xi32>, tensor<8x2xi32>) -> tensor<?x4x2xi32>
// CHECK: return %[[R]]
func.func @matmul_one_matrix_for_all_batches(%a: tensor<?x4x8xi32>, %b: tensor<8x2xi32>) -> tensor<?x4x2xi32> {
  %0 = mica.matmul %a, %b : (tensor<?x4x8xi32>, tensor<8x2xi32>) -> tensor<?x4x2xi32>
  return %0 : tensor<?x4x2xi32>
}

// CHECK-LABEL: func.func @matmul_transposed_both(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x4xf64>, %[[B:[a-z0-9]+]]: tensor<2x8xf64>
// CHECK: %[[R:.*]] = mica.matmul %[[A]], %[[B]] transpose_a transpose_b : (tensor<8x4xf64>, tensor<2x8xf64>) -> tensor<4x2xf64>
// CHECK: return %[[R]]
func.func @matmul_transposed_both(%a: tensor<8x4xf64>, %b: tensor<2x8xf64>) -> tensor<4x2xf64> {
  %0 = mica.matmul %a, %b transpose_a transpose_b : (tensor<8x4xf64>, tensor<2x8xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}

// CHECK-LABEL: func.func @matmul_repeats_batch_of_one(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<1x3x4x8xf32>, %[[B:[a-z0-9]+]]: tensor<5x1x8x2xf32>
// CHECK: %[[R:.*]] = mica.matmul %[[A]], %[[B]] : (tensor<1x3x4x8xf32>, tensor<5x1x8x2xf32>) -> tensor<5x3x4x2xf32>
// CHECK: return %[[R]]
func.func @matmul_repeats_batch_of_one(%a: tensor<1x3x4x8xf32>, %b: tensor<5x1x8x2xf32>) -> tensor<5x3x4x2xf32> {
  %0 = mica.matmul %a, %b : (tensor<1x3x4x8xf32>, tensor<5x1x8x2xf32>) -> tensor<5x3x4x2xf32>
  return %0 : tensor<5x3x4x2xf32>
}

// CHECK-LABEL: func.func @reduce_to_scalar(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x?xi1>
// CHECK: %[[R:.*]] = mica.reduce max %[[A]] dims = [0, 1] : (tensor<4x?xi1>) -> tensor<i1>
// CHECK: return %[[R]]
func.func @reduce_to_scalar(%x: tensor<4x?xi1>) -> tensor<i1> {
  %0 = mica.reduce max %x dims = [0, 1] : (tensor<4x?xi1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @reduce_kinds(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x?xf16>
// CHECK: mica.reduce prod %[[A]] dims = [0] : (tensor<4x?xf16>) -> tensor<?xf16>
// CHECK: mica.reduce min %[[A]] dims = [1] : (tensor<4x?xf16>) -> tensor<4xf16>
func.func @reduce_kinds(%x: tensor<4x?xf16>) -> (tensor<?xf16>, tensor<4xf16>) {
  %0 = mica.reduce prod %x dims = [0] : (tensor<4x?xf16>) -> tensor<?xf16>
  %1 = mica.reduce min %x dims = [1] : (tensor<4x?xf16>) -> tensor<4xf16>
  return %0, %1 : tensor<?xf16>, tensor<4xf16>
}

// CHECK-LABEL: func.func @layer_norm_plain(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3x4xf64>
// CHECK: %[[R:.*]] = mica.layer_norm %[[A]] axis = 1 epsilon = 0.000000e+00 : tensor<2x3x4xf64>
// CHECK: return %[[R]]
func.func @layer_norm_plain(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = mica.layer_norm %x axis = 1 epsilon = 0.0 : tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

// CHECK-LABEL: func.func @layer_norm_bias_only(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x4xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[R:.*]] = mica.layer_norm %[[A]] bias %[[B]] : tensor<4xf32> axis = 1 epsilon = 1.000000e-05 : tensor<2x4xf32>
// CHECK: return %[[R]]
func.func @layer_norm_bias_only(%x: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = mica.layer_norm %x bias %b : tensor<4xf32> axis = 1 epsilon = 1.0e-5 : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @result_type_may_know_more(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x8xf32>, %[[B:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK: %[[R:.*]] = mica.sub %[[A]], %[[B]] : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
// CHECK: return %[[R]]
func.func @result_type_may_know_more(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.sub %a, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<f32>, %[[B:[a-z0-9]+]]: tensor<f32>
// CHECK: %[[R:.*]] = mica.mul %[[A]], %[[B]] : tensor<f32>
// CHECK: return %[[R]]
func.func @scalars(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = mica.mul %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @broadcast_static(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x1xi1>
// CHECK: %[[R:.*]] = mica.broadcast %[[A]] : (tensor<4x1xi1>) -> tensor<2x4x8xi1>
// CHECK: return %[[R]]
func.func @broadcast_static(%x: tensor<4x1xi1>) -> tensor<2x4x8xi1> {
  %0 = mica.broadcast %x : (tensor<4x1xi1>) -> tensor<2x4x8xi1>
  return %0 : tensor<2x4x8xi1>
}

// CHECK-LABEL: func.func @constant_resource(
// CHECK: %[[R:.*]] = mica.constant dense_resource<two_numbers> : tensor<2xi32>
// CHECK: return %[[R]]
func.func @constant_resource() -> tensor<2xi32> {
  %0 = mica.constant dense_resource<two_numbers> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      two_numbers: "0x040000000700000009000000"
    }
  }
#-}
