// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-tensor-assign-ids,func.func(mica-dispatch-generalize-ops))' \
// RUN:   --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @bodies_carry_the_id_of_their_op
func.func @bodies_carry_the_id_of_their_op(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.mulf %{{.*}} loc(fused<"[[ID:mica.op:[0-9a-f]+]]">
  // CHECK: arith.addf %{{.*}} loc(fused<"[[ID]]">
  // CHECK: linalg.yield %{{.*}} loc(fused<"[[ID]]">
  // CHECK: -> tensor<4x4xf32> loc(fused<"[[ID]]">
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @attributes_stay
func.func @attributes_stay(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {{.*}} attrs = {user.note = 7 : i64}
  %0 = linalg.exp {user.note = 7 : i64} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @init_not_read_is_no_operand
// CHECK-SAME: (%[[X:[^ :]*]]: tensor<4xf32>{{.*}}, %[[Y:[^ :]*]]: tensor<4xf32>
func.func @init_not_read_is_no_operand(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[E]] : tensor<4xf32>)
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @splat_init_is_filled
func.func @splat_init_is_filled(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[F:.*]] = linalg.fill ins(%[[Z]] : f32)
  // CHECK: linalg.generic {{.*}} outs(%[[F]] : tensor<4x4xf32>)
  %c = arith.constant dense<0.0> : tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @softmax_is_decomposed
func.func @softmax_is_decomposed(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: linalg.fill ins(%[[LEAST:.*]] : f32)
  // CHECK: arith.maximumf %{{.*}} {mica.softmax} : f32 loc(fused<"[[ID:mica.op:[0-9a-f]+]]">
  // CHECK: math.exp %{{.*}} {mica.softmax} : f32 loc(fused<"[[ID]]">
  // CHECK: arith.divf %{{.*}} loc(fused<"[[ID]]">
  // CHECK-NOT: linalg.softmax
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @splat_is_filled
// CHECK-SAME: (%[[S:[^ :]*]]: f32
func.func @splat_is_filled(%s: f32, %n: index) -> tensor<?xf32> {
  // CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
  // CHECK: linalg.fill ins(%[[S]] : f32) outs(%[[E]] : tensor<?xf32>)
  %0 = tensor.splat %s[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @winograd_is_a_product_by_rows_and_one_by_columns
func.func @winograd_is_a_product_by_rows_and_one_by_columns(%x: tensor<2x10x14x5xf32>, %e: tensor<6x6x2x3x2x5xf32>) -> tensor<6x6x2x3x2x5xf32> {
  // CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d1 * 4 + d5, d3, d4)>,
  // CHECK-SAME: outs(%{{.*}} : tensor<6x2x2x14x5xf32>)
  // CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d4, d3 * 4 + d6, d5)>,
  // CHECK-SAME: outs(%{{.*}} : tensor<6x6x2x3x2x5xf32>)
  // CHECK-NOT: scf.for
  // CHECK: return
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x10x14x5xf32>) outs(%e : tensor<6x6x2x3x2x5xf32>) -> tensor<6x6x2x3x2x5xf32>
  return %0 : tensor<6x6x2x3x2x5xf32>
}

// The sizes of a chain are those of its first op: each dim takes one step.
// CHECK-LABEL: func.func @sizes_of_inits
// CHECK:         %[[N:.*]] = tensor.dim %arg0
// CHECK:         tensor.empty(%[[N]])
// CHECK:         linalg.generic
// CHECK-NOT:     tensor.dim
// CHECK:         tensor.empty(%[[N]])
// CHECK:         linalg.generic
func.func @sizes_of_inits(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = tensor.dim %0, %c0 : tensor<?xf32>
  %f = tensor.empty(%m) : tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// Upstream lowers neither a gather nor a scatter.
// CHECK-LABEL: func.func @gather_and_scatter(
// CHECK:         linalg.generic
// CHECK:           linalg.index 1
// CHECK:           %[[AT:.*]] = tensor.extract %{{.*}} : tensor<2x1xindex>
// CHECK:           tensor.extract %{{.*}}[%[[AT]], %{{.*}}] : tensor<4x5xf32>
// CHECK:         scf.forall (%[[I:.*]]) in (2)
// CHECK:           %[[PART:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [1, 5] [1, 1]
// CHECK:           tensor.parallel_insert_slice %[[PART]] into %{{.*}}[%{{.*}}, 0] [1, 5] [1, 1]
func.func @gather_and_scatter(%s: tensor<4x5xf32>, %i: tensor<2x1xindex>) -> tensor<4x5xf32> {
  %0 = tensor.gather %s[%i] gather_dims([0]) : (tensor<4x5xf32>, tensor<2x1xindex>) -> tensor<2x5xf32>
  %1 = tensor.scatter %0 into %s[%i] scatter_dims([0]) unique : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x1xindex>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// Upstream's decomposition is for floats.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @softmax_of_complex
func.func @softmax_of_complex(%x: tensor<2x4xcomplex<f32>>, %o: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  // CHECK: linalg.softmax
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x4xcomplex<f32>>) outs(%o : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}
