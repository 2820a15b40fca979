// Complex values become pairs, unsigned integers signless ones; attributes that are no elements stay.

// RUN: mica-opt %s --legalize-stablehlo-types | FileCheck %s

// CHECK-LABEL: func.func @unsigned(%arg0: tensor<4xi8>, %arg1: tensor<4xi8>) -> tensor<4xi16>
func.func @unsigned(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui16> {
  // CHECK: stablehlo.maximum %arg0, %arg1 {stablehlo.unsigned = array<i1: true, true, true>} : tensor<4xi8>
  %0 = stablehlo.maximum %x, %y : tensor<4xui8>
  // CHECK: stablehlo.constant {stablehlo.unsigned = array<i1: true>} dense<[1, -56, 3, -1]> : tensor<4xi8>
  %c = stablehlo.constant dense<[1, 200, 3, 255]> : tensor<4xui8>
  // CHECK: check.expect_close {{.*}} {max_ulp_difference = 5 : ui64, stablehlo.unsigned = array<i1: true, true>}
  check.expect_close %0, %c {max_ulp_difference = 5 : ui64} : tensor<4xui8>, tensor<4xui8>
  // CHECK: stablehlo.convert {{.*}} : (tensor<4xi8>) -> tensor<4xi16>
  %1 = stablehlo.convert %0 : (tensor<4xui8>) -> tensor<4xui16>
  return %1 : tensor<4xui16>
}

// CHECK-LABEL: func.func @loop(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>)
func.func @loop(%x: tensor<2xcomplex<f32>>, %n: tensor<i32>) -> tensor<2xcomplex<f32>> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: stablehlo.while(%[[I:.*]] = %arg2, %[[RE:.*]] = %arg0, %[[IM:.*]] = %arg1) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  %0:2 = stablehlo.while(%i = %n, %z = %x) : tensor<i32>, tensor<2xcomplex<f32>>
    cond {
    %1 = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    // CHECK: %[[A:.*]] = stablehlo.add %[[RE]], %arg0
    // CHECK: %[[B:.*]] = stablehlo.add %[[IM]], %arg1
    // CHECK: stablehlo.return %{{.*}}, %[[A]], %[[B]]
    %2 = stablehlo.add %z, %x : tensor<2xcomplex<f32>>
    stablehlo.return %1, %2 : tensor<i32>, tensor<2xcomplex<f32>>
  }
  return %0#1 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<2xf64>) -> tensor<2xf64> {
  // CHECK-NOT: complex
  %0 = stablehlo.complex %x, %x : tensor<2xcomplex<f64>>
  %1 = stablehlo.imag %0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  // CHECK: return %arg0
  return %1 : tensor<2xf64>
}
