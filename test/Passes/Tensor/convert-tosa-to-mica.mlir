// RUN: mica-opt %s -convert-tosa-to-mica | FileCheck %s
// RUN: mica-opt %s -convert-tosa-to-mica -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: mica-opt %s -mica-phase-tensor | FileCheck %s --check-prefix=PHASE --implicit-check-not="tosa."

// PHASE: module

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<1x8xf32>
// CHECK-NEXT: %[[ADD:.*]] = mica.add %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[SUB:.*]] = mica.sub %[[ADD]], %[[A]]
// CHECK-NEXT: %[[MUL:.*]] = mica.mul %[[SUB]], %[[B]]
// CHECK-NEXT: %[[MAX:.*]] = mica.max %[[MUL]], %[[A]]
// CHECK-NEXT: %[[MIN:.*]] = mica.min %[[MAX]], %[[ADD]]
// CHECK-NEXT: %[[NEG:.*]] = mica.neg %[[MIN]]
// CHECK-NEXT: %[[EXP:.*]] = mica.exp %[[NEG]]
// CHECK-NEXT: %[[TANH:.*]] = mica.tanh %[[EXP]]
// CHECK-NEXT: %[[ERF:.*]] = mica.erf %[[TANH]]
// CHECK-NEXT: %[[SIGMOID:.*]] = mica.sigmoid %[[ERF]]
// CHECK-NEXT: return %[[SIGMOID]]
// LOC-LABEL: func.func @elementwise(
// LOC: mica.add {{.*}} loc("sum of a row")
func.func @elementwise(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32> loc("sum of a row")
  %1 = tosa.sub %0, %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.mul %1, %b, %shift : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  %3 = tosa.maximum %2, %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = tosa.minimum %3, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = tosa.negate %4, %zp, %zp : (tensor<4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %6 = tosa.exp %5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = tosa.tanh %6 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = tosa.erf %7 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = tosa.sigmoid %8 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %9 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<?x4x8xf32>, %[[B:.*]]: tensor<?x8x2xf32>
// CHECK-NEXT: %[[R:.*]] = mica.matmul %[[A]], %[[B]] : (tensor<?x4x8xf32>, tensor<?x8x2xf32>) -> tensor<?x4x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @matmul(%a: tensor<?x4x8xf32>, %b: tensor<?x8x2xf32>) -> tensor<?x4x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<?x4x8xf32>, tensor<?x8x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x2xf32>
  return %0 : tensor<?x4x2xf32>
}

// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME: %[[X:.*]]: tensor<1x32x32x3xf32>, %[[W:.*]]: tensor<16x3x3x3xf32>, %[[B:.*]]: tensor<16xf32>
// CHECK-NEXT: %[[R:.*]] = mica.conv2d %[[X]], %[[W]] bias %[[B]] layout = nhwc_fhwc strides = [2, 2] pads = [1, 0, 1, 0]
// CHECK-NEXT: return %[[R]]
func.func @conv2d(%x: tensor<1x32x32x3xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<16xf32>) -> tensor<1x16x16x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
     : (tensor<1x32x32x3xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x16xf32>
  return %0 : tensor<1x16x16x16xf32>
}

// CHECK-LABEL: func.func @conv2d_with_one_bias_for_all_channels(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x3xf32>, %[[W:.*]]: tensor<16x1x1x3xf32>, %[[B:.*]]: tensor<1xf32>
// CHECK-NEXT: %[[ALL:.*]] = mica.broadcast %[[B]] : (tensor<1xf32>) -> tensor<16xf32>
// CHECK-NEXT: mica.conv2d %[[X]], %[[W]] bias %[[ALL]]
func.func @conv2d_with_one_bias_for_all_channels(%x: tensor<1x4x4x3xf32>, %w: tensor<16x1x1x3xf32>, %b: tensor<1xf32>) -> tensor<1x4x4x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
     : (tensor<1x4x4x3xf32>, tensor<16x1x1x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x16xf32>
  return %0 : tensor<1x4x4x16xf32>
}

// CHECK-LABEL: func.func @pools(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x3xf32>
// CHECK-NEXT: %[[MAX:.*]] = mica.max_pool %[[X]] layout = nhwc kernel = [3, 3] pads = [1, 1, 1, 1]
// CHECK-NEXT: %[[AVG:.*]] = mica.avg_pool %[[MAX]] layout = nhwc kernel = [2, 2] strides = [2, 2] :
// CHECK-NEXT: return %[[AVG]]
func.func @pools(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  %1 = tosa.avg_pool2d %0, %zp, %zp {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
     : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %1 : tensor<1x4x4x3xf32>
}

// CHECK-LABEL: func.func @reductions_and_moves(
// CHECK-SAME: %[[X:.*]]: tensor<?x3x4xi32>
// CHECK-NEXT: %[[SUM:.*]] = mica.reduce sum %[[X]] dims = [2] keep_dims : (tensor<?x3x4xi32>) -> tensor<?x3x1xi32>
// CHECK-NEXT: %[[MAX:.*]] = mica.reduce max %[[SUM]] dims = [1] keep_dims : (tensor<?x3x1xi32>) -> tensor<?x1x1xi32>
// CHECK-NEXT: %[[T:.*]] = mica.transpose %[[MAX]] permutation = [1, 0, 2] : (tensor<?x1x1xi32>) -> tensor<1x?x1xi32>
// CHECK-NEXT: %[[R:.*]] = mica.reshape %[[T]] : (tensor<1x?x1xi32>) -> tensor<?xi32>
// CHECK-NEXT: return %[[R]]
func.func @reductions_and_moves(%x: tensor<?x3x4xi32>) -> tensor<?xi32> {
  %0 = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<?x3x4xi32>) -> tensor<?x3x1xi32>
  %1 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<?x3x1xi32>) -> tensor<?x1x1xi32>
  %2 = tosa.transpose %1 {perms = array<i32: 1, 0, 2>} : (tensor<?x1x1xi32>) -> tensor<1x?x1xi32>
  %shape = tosa.const_shape {values = dense<[-1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %3 = tosa.reshape %2, %shape : (tensor<1x?x1xi32>, !tosa.shape<1>) -> tensor<?xi32>
  return %3 : tensor<?xi32>
}

// CHECK-LABEL: func.func @constants_of_mica_only(
// CHECK-NEXT: %[[C:.*]] = mica.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[SHARED:.*]] = "tosa.const"() <{values = dense<3.000000e+00> : tensor<4xf32>}>
// CHECK-NEXT: mica.add {{.*}}, %[[C]]
// CHECK: mica.sub {{.*}}, %[[SHARED]]
// CHECK: tosa.maximum {{.*}}, %[[SHARED]]
func.func @constants_of_mica_only(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = "tosa.const"() <{values = dense<2.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %shared = "tosa.const"() <{values = dense<3.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %0 = tosa.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.sub %0, %shared : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.maximum %1, %shared {nan_mode = IGNORE} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// What stays in tosa
//===----------------------------------------------------------------------===//

// In tosa a dynamic dimension that is 1 at run time repeats: only dimensions known to be the same one are converted.
// CHECK-LABEL: func.func @dynamic_dimensions_of_different_origin_stay(
// CHECK-SAME: %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<?x8xf32>
// CHECK-NEXT: %[[T:.*]] = mica.tanh %[[A]]
// CHECK-NEXT: %[[SAME:.*]] = mica.add %[[T]], %[[A]]
// CHECK-NEXT: tosa.add %[[SAME]], %[[B]]
func.func @dynamic_dimensions_of_different_origin_stay(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = tosa.tanh %a : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = tosa.add %0, %a : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = tosa.add %1, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @nan_mode_ignore_stays(
// CHECK: tosa.maximum
// CHECK: tosa.reduce_max
func.func @nan_mode_ignore_stays(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1xf32> {
  %0 = tosa.maximum %a, %b {nan_mode = IGNORE} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.reduce_max %0 {axis = 0 : i32, nan_mode = IGNORE} : (tensor<4xf32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @zero_points_and_small_integers_stay(
// CHECK: tosa.matmul
// CHECK: tosa.negate
// CHECK: tosa.mul
func.func @zero_points_and_small_integers_stay(%a: tensor<1x2x3xi8>, %b: tensor<1x3x2xi8>, %c: tensor<4xi32>) -> (tensor<1x2x2xi32>, tensor<1x2x3xi8>, tensor<4xi32>) {
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x2x3xi8>, tensor<1x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
  %1 = tosa.negate %a, %zp, %zp : (tensor<1x2x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x3xi8>
  %2 = tosa.mul %c, %c, %zp : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<1x2x2xi32>, tensor<1x2x3xi8>, tensor<4xi32>
}

// Control flow goes first, and what is in it is converted as well.
// PHASE-LABEL: func.func @control_flow(
// PHASE: scf.while
// PHASE: mica.add
func.func @control_flow(%n: tensor<i32>) -> tensor<i32> {
  %0 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %limit = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %1 = tosa.greater_equal %limit, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}
