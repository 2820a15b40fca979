// RUN: mica-opt %s --mica-tensor-guard-folds --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @numbers(
// CHECK: mica.bitwise_xor %arg0, %arg0 : (tensor<2x?xi32>, tensor<2x?xi32>) -> tensor<2x?xi32>
func.func @numbers(%x: tensor<2x?xi32>) -> tensor<2x?xi32> {
  %0 = arith.xori %x, %x : tensor<2x?xi32>
  return %0 : tensor<2x?xi32>
}

// CHECK-LABEL: func.func @booleans(
// CHECK: mica.logical_xor %arg0, %arg1 : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
func.func @booleans(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> {
  %0 = arith.xori %x, %y : tensor<?xi1>
  return %0 : tensor<?xi1>
}

// A constant has any known size.
// CHECK-LABEL: func.func @known_size_folds(
// CHECK: arith.constant dense<0> : tensor<4xi32>
func.func @known_size_folds(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.xori %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}
