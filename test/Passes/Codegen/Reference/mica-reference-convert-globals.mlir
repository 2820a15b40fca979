// RUN: mica-opt %s --mica-reference-convert-globals | FileCheck %s

// CHECK-NOT:     ml_program.global
// CHECK-LABEL: func.func @load(
// CHECK:         arith.constant dense<[1, 2]> : tensor<2xi32>
ml_program.global private @g(dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
func.func @load() -> tensor<2xi32> {
  %0 = ml_program.global_load_const @g : tensor<2xi32>
  return %0 : tensor<2xi32>
}
