// RUN: mica-opt %s --mica-reference-share-constants | FileCheck %s

// CHECK-LABEL: func.func @large
// CHECK:         %[[B:.*]] = mica_sched.constant dense<1.000000e+00> : tensor<65xf32> -> memref<65xf32>
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[B]] restrict : memref<65xf32> to tensor<65xf32>
// CHECK:         return %[[T]]
func.func @large() -> tensor<65xf32> {
  %0 = arith.constant dense<1.0> : tensor<65xf32>
  return %0 : tensor<65xf32>
}

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @small
// CHECK-NEXT:    arith.constant dense<1.000000e+00> : tensor<64xf32>
func.func @small() -> tensor<64xf32> {
  %0 = arith.constant dense<1.0> : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// The runtime has no complex numbers.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @complex_numbers
// CHECK:         arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<65xcomplex<f32>>
func.func @complex_numbers() -> tensor<65xcomplex<f32>> {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<65xcomplex<f32>>
  return %0 : tensor<65xcomplex<f32>>
}
