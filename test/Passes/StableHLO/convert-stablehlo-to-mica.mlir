// Ops with a twin become that op; others become a few ops.

// RUN: mica-opt %s --convert-stablehlo-to-mica | FileCheck %s --implicit-check-not=stablehlo

// CHECK-LABEL: func.func @twins
func.func @twins(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %p: tensor<?x4xi1>) -> tensor<?x4xf32> {
  // CHECK: mica.exp %arg0 : tensor<?x4xf32>
  %0 = stablehlo.exponential %a : tensor<?x4xf32>
  // CHECK: mica.add %{{.*}}, %arg1 : tensor<?x4xf32>
  %1 = stablehlo.add %0, %b : tensor<?x4xf32>
  // CHECK: mica.logical_or %arg2, %arg2 : tensor<?x4xi1>
  %2 = stablehlo.add %p, %p : tensor<?x4xi1>
  // CHECK: mica.select %{{.*}}, %{{.*}}, %arg0
  %3 = stablehlo.select %2, %1, %a : tensor<?x4xi1>, tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @matrices
func.func @matrices(%a: tensor<4x8xf32>, %b: tensor<2x8xf32>) -> tensor<4x2xf32> {
  // A matrix that stands transposed is not moved.
  // CHECK-NEXT: mica.matmul %arg0, %arg1 transpose_b : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @sums
func.func @sums(%a: tensor<4x8xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[SUM:.*]] = mica.reduce sum %arg0 dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // An initial value that is not neutral is combined.
  // CHECK: %[[PROD:.*]] = mica.reduce prod %arg0
  // CHECK: %[[INIT:.*]] = mica.reshape %arg1 : (tensor<f32>) -> tensor<1xf32>
  // CHECK: %[[BOTH:.*]] = mica.mul %[[INIT]], %[[PROD]]
  %1 = stablehlo.reduce(%a init: %c) applies stablehlo.multiply across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: return %[[SUM]], %[[BOTH]]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
