// RUN: mica-opt %s -convert-tosa-to-mica | FileCheck %s
// MUTATION: stays green, it asks what the option leaves.
// RUN: mica-opt %s -convert-tosa-to-mica=keep-gather | FileCheck %s --check-prefix=KEEP
// RUN: mica-opt %s -mica-phase-tensor | FileCheck %s --check-prefix=PHASE --implicit-check-not="tosa."

// PHASE: module

// CHECK-LABEL: func.func @concat(
// CHECK-NEXT: mica.concat %arg0, %arg1, %arg0 axis = 1 : (tensor<?x3xf32>, tensor<?x5xf32>, tensor<?x3xf32>) -> tensor<?x11xf32>
func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x5xf32>) -> tensor<?x11xf32> {
  %0 = tosa.concat %a, %b, %a {axis = 1 : i32} : (tensor<?x3xf32>, tensor<?x5xf32>, tensor<?x3xf32>) -> tensor<?x11xf32>
  return %0 : tensor<?x11xf32>
}

// KEEP: tosa.gather
// CHECK-LABEL: func.func @gather(
// CHECK-NEXT: mica.gather %arg0, %arg1 axis = 1 batch_dims = 1 : (tensor<2x50x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
func.func @gather(%v: tensor<2x50x8xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x8xf32> {
  %0 = tosa.gather %v, %i : (tensor<2x50x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT: mica.scatter update %arg0, %arg1, %arg2 axis = 1 batch_dims = 1
func.func @scatter(%v: tensor<2x50x8xi32>, %i: tensor<2x3xi32>, %u: tensor<2x3x8xi32>) -> tensor<2x50x8xi32> {
  %0 = tosa.scatter %v, %i, %u : (tensor<2x50x8xi32>, tensor<2x3xi32>, tensor<2x3x8xi32>) -> tensor<2x50x8xi32>
  return %0 : tensor<2x50x8xi32>
}

// The shapes, used by nothing else, go.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: mica.slice %arg0 offsets = [1, 2] sizes = [3, 4] strides = [1, 1] : (tensor<6x17xf32>) -> tensor<3x4xf32>
func.func @slice(%x: tensor<6x17xf32>) -> tensor<3x4xf32> {
  %start = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[3, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %x, %start, %size : (tensor<6x17xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @tile(
// CHECK-NEXT: mica.tile %arg0 multiples = [2, 1] : tensor<?x3xi1>
func.func @tile(%x: tensor<?x3xi1>) -> tensor<?x3xi1> {
  %multiples = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %x, %multiples : (tensor<?x3xi1>, !tosa.shape<2>) -> tensor<?x3xi1>
  return %0 : tensor<?x3xi1>
}

// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT: mica.flip %arg0 dims = [1] : tensor<?x3xf32>
func.func @reverse(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @small_elements(
// CHECK-NEXT: mica.concat %arg0, %arg0 axis = 0 : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<4x3xi8>
// CHECK-NEXT: mica.flip %arg1 dims = [0] : tensor<4xf8E4M3FN>
func.func @small_elements(%a: tensor<2x3xi8>, %b: tensor<4xf8E4M3FN>) -> (tensor<4x3xi8>, tensor<4xf8E4M3FN>) {
  %0 = tosa.concat %a, %a {axis = 0 : i32} : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<4x3xi8>
  %1 = tosa.reverse %b {axis = 0 : i32} : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  return %0, %1 : tensor<4x3xi8>, tensor<4xf8E4M3FN>
}
