// The text that frameworks write parses, and prints as it was written; so does the generic form.

// RUN: mica-opt %s -o %t.mlir
// RUN: mica-opt %t.mlir | FileCheck %s
// RUN: mica-opt %s -mlir-print-op-generic -o %t.generic.mlir
// RUN: FileCheck %s --check-prefix=GENERIC < %t.generic.mlir
// RUN: mica-opt %t.generic.mlir | diff %t.mlir -
// RUN: mica-opt %s -emit-bytecode -o %t.mlirbc
// RUN: mica-opt %t.mlirbc | diff %t.mlir -

// CHECK: module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32}
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32} {
// CHECK-LABEL: func.func public @elementwise
func.func public @elementwise(%a: tensor<4x?xf32> {mhlo.layout_mode = "default"}, %b: tensor<4x?xf32>, %c: tensor<i1>)
    -> (tensor<4x?xf32> {jax.result_info = "result"}) {
  // CHECK: stablehlo.exponential %arg0 : tensor<4x?xf32>
  %0 = stablehlo.exponential %a : tensor<4x?xf32>
  // CHECK: stablehlo.add %{{.*}}, %arg1 : tensor<4x?xf32>
  %1 = stablehlo.add %0, %b : tensor<4x?xf32>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
  // GENERIC: comparison_direction = #stablehlo<comparison_direction LT>
  %2 = stablehlo.compare  LT, %0, %1,  FLOAT : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x?xi1>, tensor<4x?xf32>
  %3 = stablehlo.select %2, %0, %1 : tensor<4x?xi1>, tensor<4x?xf32>
  // CHECK: stablehlo.select %arg2, %{{.*}}, %{{.*}} : tensor<i1>, tensor<4x?xf32>
  %4 = stablehlo.select %c, %0, %3 : tensor<i1>, tensor<4x?xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xbf16>
  %5 = stablehlo.convert %4 : (tensor<4x?xf32>) -> tensor<4x?xbf16>
  // CHECK: stablehlo.is_finite %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %6 = stablehlo.is_finite %4 : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %cst = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  %7 = stablehlo.clamp %cst, %4, %cst : (tensor<f32>, tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
  return %7 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>, %i: tensor<i32>) -> tensor<1x2xf32> {
  // CHECK: stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: stablehlo.iota dim = 1 : tensor<4x8xf32>
  %0 = stablehlo.iota dim = 1 : tensor<4x8xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<4x8xf32>) -> tensor<32xf32>
  %2 = stablehlo.reshape %0 : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [0, 1] : tensor<8x4xf32>
  %4 = stablehlo.reverse %3, dims = [0, 1] : tensor<8x4xf32>
  // CHECK: stablehlo.slice %arg0 [0:2, 1:7:2] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.slice %a [0:2, 1:7:2] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.concatenate %arg0, %arg1, %{{.*}}, dim = 1 : (tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x12xf32>
  %6 = stablehlo.concatenate %a, %b, %1, dim = 1 : (tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x12xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, -1], high = [1, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %7 = stablehlo.pad %5, %cst, low = [0, -1], high = [1, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  // CHECK: stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %8 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  // CHECK: stablehlo.dynamic_update_slice %arg0, %{{.*}}, %arg2, %arg2 : (tensor<4x8xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %9 = stablehlo.dynamic_update_slice %a, %8, %i, %i : (tensor<4x8xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %8 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @sums
func.func @sums(%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>, %p: tensor<4xi32>) -> tensor<2x4x3xf32> {
  // CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
  // GENERIC: #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: stablehlo.dot_general %arg0, %arg0, contracting_dims = [2] x [2] : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %1 = "stablehlo.dot_general"(%a, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.reduce(%a init: %cst) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%arg2 init: %{{.*}}) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  // CHECK-NEXT: reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<i32>, %arg6: tensor<i32>) {
  %3:2 = stablehlo.reduce(%2 init: %cst), (%p init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
    %4 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.select %4, %x, %y : tensor<i1>, tensor<f32>
    %6 = stablehlo.select %4, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %5, %6 : tensor<f32>, tensor<i32>
  }
  return %0 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @control
func.func @control(%n: tensor<i32>, %x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: stablehlo.while(%arg3 = %arg0, %arg4 = %arg1) : tensor<i32>, tensor<4xf32>
  // CHECK-NEXT: cond {
  %0:2 = stablehlo.while(%iterArg = %n, %iterArg_0 = %x) : tensor<i32>, tensor<4xf32>
    cond {
    %1 = stablehlo.compare GT, %iterArg, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    // CHECK: } do {
    %1 = stablehlo.subtract %iterArg, %one : tensor<i32>
    %2 = stablehlo.add %iterArg_0, %iterArg_0 : tensor<4xf32>
    // CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  // CHECK: "stablehlo.if"(%arg2) ({
  %3 = "stablehlo.if"(%c) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %0#1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK: "stablehlo.case"(%arg0) ({
  %4 = "stablehlo.case"(%n) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Ops that the specification does not have, and bounds of dynamic sizes.
// CHECK-LABEL: func.func @older
func.func @older(%x: tensor<2x3xf32>, %i: tensor<2xi32>, %n: tensor<i32>, %g: tensor<2xi64>, %w: tensor<2x3x4xf32>) {
  // CHECK: stablehlo.einsum %arg0, %arg0, config = "ab,cb->ac" : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %0 = stablehlo.einsum %x, %x, config = "ab,cb->ac" : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  %1 = stablehlo.unary_einsum %x, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 1 : i64}>
  %2 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.set_dimension_size %arg0, %arg2, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  %3 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  // CHECK: stablehlo.trace %arg0, "here" : tensor<2x3xf32>
  stablehlo.trace %x, "here" : tensor<2x3xf32>
  // CHECK: chlo.ragged_dot{{.*}}#chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  %4 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGH>]}> : (tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}
}
