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

// CHECK-LABEL: func.func @comparisons(
// CHECK: mica.compare lt %arg0, %arg1 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
// CHECK: mica.compare eq %arg0, %arg0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
// CHECK: arith.cmpi ult, %arg0, %arg1 : tensor<?xi32>
func.func @comparisons(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %0 = arith.cmpi slt, %x, %y : tensor<?xi32>
  %1 = arith.cmpi uge, %x, %x : tensor<?xi32>
  %2 = arith.cmpi ult, %x, %y : tensor<?xi32>
  return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}
