// RUN: mica-opt %s --mica-reference-convert-tosa-to-loops | FileCheck %s

// The sum over the window, of what lies inside of the image, by fixed point.
// CHECK-LABEL: func.func @avg_pool(
// CHECK-COUNT-4: scf.for
// CHECK-COUNT-2: scf.for
// CHECK:         arith.shrsi
// CHECK:         memref.store %{{.*}} : memref<1x2x2x3xi8>
// CHECK-NOT:     tosa.avg_pool2d
func.func @avg_pool(%x: tensor<1x4x4x3xi8>) -> tensor<1x2x2x3xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %zero, %zero {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>,
      acc_type = i32} : (tensor<1x4x4x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x3xi8>
  return %0 : tensor<1x2x2x3xi8>
}

// Its fold would make -1 of true.
// CHECK-LABEL: func.func @cast_of_true(
// CHECK-NOT:     tosa.cast
// CHECK:         arith.uitofp %{{.*}} : tensor<2xi1> to tensor<2xf32>
// CHECK:         tosa.cast %{{.*}} : (tensor<2xf32>) -> tensor<2xi32>
func.func @cast_of_true() -> tensor<2xi32> {
  %true = "tosa.const"() <{values = dense<true> : tensor<2xi1>}> : () -> tensor<2xi1>
  %0 = tosa.cast %true : (tensor<2xi1>) -> tensor<2xf32>
  %1 = tosa.cast %0 : (tensor<2xf32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// What is reduced to has size 1, whatever its type says.
// CHECK-LABEL: func.func @reduced_size(
// CHECK:         %[[R:.*]] = tosa.reduce_all %{{.*}} {axis = 0 : i32} : (tensor<?x4xi1>) -> tensor<1x4xi1>
// CHECK:         tensor.cast %[[R]] : tensor<1x4xi1> to tensor<?x4xi1>
func.func @reduced_size(%x: tensor<?x4xi1>) -> tensor<?x4xi1> {
  %0 = tosa.reduce_all %x {axis = 0 : i32} : (tensor<?x4xi1>) -> tensor<?x4xi1>
  return %0 : tensor<?x4xi1>
}
