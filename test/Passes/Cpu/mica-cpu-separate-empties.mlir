// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-cpu-separate-empties))' | FileCheck %s

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
