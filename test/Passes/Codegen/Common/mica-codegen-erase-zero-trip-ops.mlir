// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-erase-zero-trip-ops))' | FileCheck %s

// CHECK-LABEL: func.func @sum_over_nothing
// CHECK-NEXT:    %[[FILL:.*]] = linalg.fill
// CHECK-NEXT:    return %[[FILL]]
func.func @sum_over_nothing(%a: tensor<0x4xf32>, %e: tensor<4xf32>, %c: f32) -> tensor<4xf32> {
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.reduce {arith.addf} ins(%a : tensor<0x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @slice_of_nothing
// CHECK-SAME:      %{{.*}}, %[[INTO:.*]]: tensor<8x4xf32>
// CHECK-NEXT:    return %[[INTO]]
func.func @slice_of_nothing(%a: tensor<0x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %1 = tensor.insert_slice %a into %b[2, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// What may make a turn stays.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT:    linalg.exp
func.func @unknown(%a: tensor<?x4xf32>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %1 = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// The operands do not say that there is nothing, the result does.
// CHECK-LABEL: func.func @result_of_nothing
// CHECK-NOT:     linalg.exp
func.func @result_of_nothing(%a: tensor<?x?xf32>, %e: tensor<?x0xf32>) -> tensor<?x0xf32> {
  %1 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x0xf32>) -> tensor<?x0xf32>
  return %1 : tensor<?x0xf32>
}
