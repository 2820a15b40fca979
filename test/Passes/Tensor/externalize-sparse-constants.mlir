// RUN: mica-opt %s --mica-tensor-externalize-constants | FileCheck %s

// A constant given by the elements that are not 0 has all of them, as what comes later wants it.
// CHECK-LABEL: func.func @sparse
// CHECK: dense<{{\[\[}}0.000000e+00, 1.500000e+00], [0.000000e+00, 0.000000e+00], [-2.500000e+00, 0.000000e+00]]> : tensor<3x2xf32>
func.func @sparse() -> tensor<3x2xf32> {
  %0 = arith.constant sparse<[[0, 1], [2, 0]], [1.5, -2.5]> : tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
