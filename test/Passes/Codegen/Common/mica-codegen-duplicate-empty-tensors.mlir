// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-duplicate-empty-tensors))' | FileCheck %s

// CHECK-LABEL: func.func @two
// CHECK:         %[[A:.*]] = tensor.empty
// CHECK:         linalg.fill {{.*}} outs(%[[A]] :
// CHECK:         %[[B:.*]] = tensor.empty
// CHECK:         linalg.fill {{.*}} outs(%[[B]] :
func.func @two(%a: f32, %b: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%a : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.fill ins(%b : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// An empty moves to its one use, past what does not read it.
// CHECK-LABEL: func.func @moves_to_its_use(
// CHECK-SAME:    %[[A:[^:]*]]: f32, %[[INTO:[^:]*]]: tensor<4xf32>
// CHECK-NEXT:    %[[FILL:.*]] = linalg.fill ins(%[[A]] : f32) outs(%[[INTO]] :
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty() : tensor<2x2xf32>
// CHECK-NEXT:    return %[[EMPTY]], %[[FILL]]
func.func @moves_to_its_use(%a: f32, %into: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%a : f32) outs(%into : tensor<4xf32>) -> tensor<4xf32>
  return %e, %f : tensor<2x2xf32>, tensor<4xf32>
}
