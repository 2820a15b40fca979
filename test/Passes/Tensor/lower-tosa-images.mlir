// RUN: mica-opt %s -split-input-file -mica-tensor-lower-tosa-images | FileCheck %s

// Sizes that types do not say come from those of the operand: ((H - 1) * n - offset + border) / d + 1.
// CHECK-LABEL: func.func @sizes_come_from_the_image
// CHECK-SAME: %[[X:.*]]: tensor<?x?x5x3xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK-DAG: %[[LAST:.*]] = arith.subi %[[H:.*]], %{{.*}} : index
// CHECK: %[[SCALED:.*]] = arith.muli %[[LAST]], %{{.*}} : index
// CHECK: %[[REACH:.*]] = arith.addi %[[SCALED]], %c2{{.*}} : index
// CHECK: %[[STEPS:.*]] = arith.floordivsi %[[REACH]], %{{.*}} : index
// CHECK: %[[ROWS:.*]] = arith.addi %[[STEPS]], %{{.*}} : index
// CHECK: tensor.empty(%{{.*}}, %[[ROWS]]) : tensor<?x?x10x3xf32>
// CHECK: linalg.generic
// CHECK-COUNT-4: tensor.extract %[[X]]
// CHECK: linalg.yield %{{.*}} : f32
func.func @sizes_come_from_the_image(%x: tensor<?x?x5x3xf32>) -> tensor<?x?x10x3xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<?x?x5x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x?x10x3xf32>
  return %0 : tensor<?x?x10x3xf32>
}

// -----

// Upstream rounds the quotient of integers to zero, so that position -1 of 4 lies at the first pixel, less a quarter.
// CHECK-LABEL: func.func @places_before_the_image_are_rounded_down
// CHECK: linalg.generic
// CHECK-NOT: arith.divsi
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %c-1{{.*}} : index
// CHECK: arith.floordivsi %[[AT]], %{{.*}} : index
// CHECK-COUNT-4: arith.extsi %{{.*}} : i8 to i32
// CHECK: linalg.yield %{{.*}} : i32
func.func @places_before_the_image_are_rounded_down(%x: tensor<1x4x5x3xi8>) -> tensor<1x8x10x3xi32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x4x5x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x10x3xi32>
  return %0 : tensor<1x8x10x3xi32>
}

// -----

// CHECK-LABEL: func.func @halves_are_interpolated_in_f32
// CHECK-COUNT-4: arith.extf %{{.*}} : f16 to f32
// CHECK: %[[SUM:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK: linalg.yield %[[SUM]] : f16
func.func @halves_are_interpolated_in_f32(%x: tensor<1x?x?x3xf16>) -> tensor<1x?x?x3xf16> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x?x?x3xf16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x3xf16>
  return %0 : tensor<1x?x?x3xf16>
}

// -----

// CHECK-LABEL: func.func @one_pixel_is_the_nearest
// CHECK: linalg.generic
// CHECK: %[[ISAFTER:.*]] = arith.cmpi sge
// CHECK: arith.select %[[ISAFTER]]
// CHECK: %[[PIXEL:.*]] = tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: linalg.yield %[[PIXEL]] : i16
func.func @one_pixel_is_the_nearest(%x: tensor<1x?x?x3xi16>) -> tensor<1x?x?x3xi16> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %zero {mode = NEAREST_NEIGHBOR} : (tensor<1x?x?x3xi16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x3xi16>
  return %0 : tensor<1x?x?x3xi16>
}

// -----

// The zero point is taken off as often as the window covers an element, and the mean taken as tosa rounds it.
// CHECK-LABEL: func.func @means_of_integers
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 1, 1, 0]
// CHECK: %[[SUMS:.*]] = linalg.pooling_nhwc_sum {{.*}} ins(%[[PADDED]], %{{.*}} : tensor<?x?x?x3xi8>, tensor<2x2xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : tensor<?x?x?x3xi32>)
// CHECK: %[[COUNT:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[ZEROS:.*]] = arith.muli %[[COUNT]], %c-3{{.*}} : i32
// CHECK: %[[ABOVE:.*]] = arith.subi %{{.*}}, %[[ZEROS]] : i32
// CHECK: tosa.apply_scale %[[ABOVE]], {{.*}} {rounding_mode = SINGLE_ROUND}
// CHECK: linalg.yield %{{.*}} : i8
func.func @means_of_integers(%x: tensor<?x?x?x3xi8>) -> tensor<?x?x?x3xi8> {
  %izp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %ozp = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %izp, %ozp {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x?x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x?x?x3xi8>
  return %0 : tensor<?x?x?x3xi8>
}

// -----

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @zero_points_must_be_constant
// CHECK: tosa.avg_pool2d
func.func @zero_points_must_be_constant(%x: tensor<1x?x?x3xi8>, %zp: tensor<1xi8>) -> tensor<1x?x?x3xi8> {
  %0 = tosa.avg_pool2d %x, %zp, %zp {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x?x3xi8>
  return %0 : tensor<1x?x?x3xi8>
}

// -----

// The bias is repeated if the run finds one element in it. The weights are moved to the order that linalg has.
// CHECK-LABEL: func.func @open_channels_of_planes
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x4x2xf32>, %[[W:.*]]: tensor<?x2x2x2x2xf32>, %[[B:.*]]: tensor<?xf32>
// CHECK: %[[HAS_ONE:.*]] = arith.cmpi eq
// CHECK: %[[BIAS:.*]] = scf.if %[[HAS_ONE]]
// CHECK: tensor.splat
// CHECK: scf.yield %[[B]]
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[BIAS]] : tensor<?xf32>)
// CHECK: %[[FILTER:.*]] = linalg.transpose ins(%[[W]] {{.*}} permutation = [1, 2, 3, 4, 0]
// CHECK: linalg.conv_3d_ndhwc_dhwcf {{.*}} ins(%[[X]], %[[FILTER]] {{.*}} outs(%[[START]] : tensor<1x3x3x3x?xf32>)
func.func @open_channels_of_planes(%x: tensor<1x4x4x4x2xf32>, %w: tensor<?x2x2x2x2xf32>, %b: tensor<?xf32>) -> tensor<1x3x3x3x?xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x2xf32>, tensor<?x2x2x2x2xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x3x?xf32>
  return %0 : tensor<1x3x3x3x?xf32>
}

// -----

// The border has the zero point of the image; sums are taken in the accumulator's type.
// CHECK-LABEL: func.func @quantized
// CHECK: %[[THREE:.*]] = arith.constant 3 : i8
// CHECK: tensor.pad
// CHECK: tensor.yield %[[THREE]] : i8
// CHECK: linalg.conv_2d_nhwc_fhwc_q {{.*}} : tensor<1x6x6x2xi8>, tensor<?x?x2x2xi8>, i32, i32) outs(%{{.*}} : tensor<1x?x5x?xi32>)
func.func @quantized(%x: tensor<1x4x4x2xi8>, %w: tensor<?x?x2x2xi8>, %b: tensor<1xi32>) -> tensor<1x?x5x?xi32> {
  %z = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<?x?x2x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x5x?xi32>
  return %0 : tensor<1x?x5x?xi32>
}

// -----

// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1], [2], [3, 4]]
func.func @depthwise(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x?x?xf32>, %b: tensor<?xf32>) -> tensor<1x3x3x?xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x2x?x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x?xf32>
  return %0 : tensor<1x3x3x?xf32>
}

// -----

// MUTATION: stays green, upstream lowers static weights.
// CHECK-LABEL: func.func @static_weights
// CHECK: tosa.conv3d
func.func @static_weights(%x: tensor<1x4x4x4x2xf32>, %w: tensor<3x2x2x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x3x3x3x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x2xf32>, tensor<3x2x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x3x3xf32>
  return %0 : tensor<1x3x3x3x3xf32>
}
