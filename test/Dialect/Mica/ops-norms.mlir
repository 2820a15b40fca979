// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null

// Every operation's documented example, then the forms that the examples do not show, parses and prints again.

// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x128x64xf32>, %[[B:[a-z0-9]+]]: tensor<64xf32>
// CHECK: %[[R:.*]] = mica.rms_norm %[[A]] scale %[[B]] axis = 2 epsilon = 9.9999999999999995E-7 : (tensor<?x128x64xf32>, tensor<64xf32>) -> tensor<?x128x64xf32>
// CHECK: return %[[R]]
func.func @rms_norm(%x: tensor<?x128x64xf32>, %s: tensor<64xf32>) -> tensor<?x128x64xf32> {
  %0 = mica.rms_norm %x scale %s axis = 2 epsilon = 1.0e-6 : (tensor<?x128x64xf32>, tensor<64xf32>) -> tensor<?x128x64xf32>
  return %0 : tensor<?x128x64xf32>
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x16x32x32xf32>, %[[B:[a-z0-9]+]]: tensor<16xf32>, %[[C:[a-z0-9]+]]: tensor<16xf32>, %[[D:[a-z0-9]+]]: tensor<16xf32>, %[[E:[a-z0-9]+]]: tensor<16xf32>
// CHECK: %[[R:.*]] = mica.batch_norm %[[A]] mean %[[B]] variance %[[C]] scale %[[D]] bias %[[E]] axis = 1 epsilon = 1.000000e-05 : (tensor<?x16x32x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<?x16x32x32xf32>
// CHECK: return %[[R]]
func.func @batch_norm(%x: tensor<?x16x32x32xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>, %s: tensor<16xf32>,
                      %b: tensor<16xf32>) -> tensor<?x16x32x32xf32> {
  %0 = mica.batch_norm %x mean %m variance %v scale %s bias %b axis = 1 epsilon = 1.0e-5
     : (tensor<?x16x32x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<?x16x32x32xf32>
  return %0 : tensor<?x16x32x32xf32>
}

// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x16x8x8xf32>, %[[B:[a-z0-9]+]]: tensor<16xf32>, %[[C:[a-z0-9]+]]: tensor<16xf32>
// CHECK: %[[R:.*]] = mica.group_norm %[[A]] scale %[[B]] bias %[[C]] groups = 4 axis = 1 epsilon = 1.000000e-05 : (tensor<?x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<?x16x8x8xf32>
// CHECK: return %[[R]]
func.func @group_norm(%x: tensor<?x16x8x8xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<?x16x8x8xf32> {
  %0 = mica.group_norm %x scale %s bias %b groups = 4 axis = 1 epsilon = 1.0e-5
     : (tensor<?x16x8x8xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<?x16x8x8xf32>
  return %0 : tensor<?x16x8x8xf32>
}

// CHECK-LABEL: func.func @group_norm_plain(
// CHECK: mica.group_norm %{{.*}} groups = 2 axis = 2 epsilon = 0.000000e+00 : tensor<1x5x4xf64>
func.func @group_norm_plain(%x: tensor<1x5x4xf64>) -> tensor<1x5x4xf64> {
  %0 = mica.group_norm %x groups = 2 axis = 2 epsilon = 0.0 : tensor<1x5x4xf64>
  return %0 : tensor<1x5x4xf64>
}
