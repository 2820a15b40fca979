// RUN: mica-opt %s -convert-tosa-to-mica | FileCheck %s
// RUN: mica-opt %s -convert-tosa-to-mica -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @depthwise(
// CHECK-SAME: %[[X:.*]]: tensor<?x8x8x4xf32>, %[[W:.*]]: tensor<3x3x4x2xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK-NEXT: %[[F:.*]] = mica.reshape %[[W]] : (tensor<3x3x4x2xf32>) -> tensor<3x3x1x8xf32>
// CHECK-NEXT: %[[R:.*]] = mica.conv2d %[[X]], %[[F]] bias %[[B]] layout = nhwc_hwcf strides = [2, 1] dilations = [1, 2] pads = [1, 0, 2, 2] groups = 4
// CHECK-NEXT: return %[[R]]
// LOC-LABEL: func.func @depthwise(
// LOC: mica.reshape {{.*}} loc("depth")
// LOC: mica.conv2d {{.*}} loc("depth")
func.func @depthwise(%x: tensor<?x8x8x4xf32>, %w: tensor<3x3x4x2xf32>, %b: tensor<8xf32>) -> tensor<?x4x8x8xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 2>, stride = array<i64: 2, 1>}
     : (tensor<?x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x8x8xf32> loc("depth")
  return %0 : tensor<?x4x8x8xf32>
}

// What tosa adds to the result is what mica does not cut off.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x3xf16>, %[[W:.*]]: tensor<5x3x2x3xf16>, %[[B:.*]]: tensor<1xf16>
// CHECK-NEXT: %[[ALL:.*]] = mica.broadcast %[[B]] : (tensor<1xf16>) -> tensor<5xf16>
// CHECK-NEXT: %[[R:.*]] = mica.conv2d_transpose %[[X]], %[[W]] bias %[[ALL]] layout = nhwc_fhwc strides = [2, 3] pads = [1, 0, -2, 0] :
// CHECK-NEXT: return %[[R]]
func.func @transposed(%x: tensor<1x4x4x3xf16>, %w: tensor<5x3x2x3xf16>, %b: tensor<1xf16>) -> tensor<1x8x13x5xf16> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: -1, 0, 2, 0>, stride = array<i64: 2, 3>}
     : (tensor<1x4x4x3xf16>, tensor<5x3x2x3xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x8x13x5xf16>
  return %0 : tensor<1x8x13x5xf16>
}

// Of quantized elements too; a zero point that is zero is not subtracted.
// CHECK-LABEL: func.func @transposed_quantized(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x3xi8>, %[[W:.*]]: tensor<5x3x2x3xi8>, %[[B:.*]]: tensor<5xi32>
// CHECK-NEXT: %[[XW:.*]] = mica.cast %[[X]] : tensor<1x4x4x3xi8> to tensor<1x4x4x3xi32>
// CHECK-NEXT: %[[ZERO:.*]] = mica.constant dense<-3> : tensor<1x1x1x1xi32>
// CHECK-NEXT: %[[XN:.*]] = mica.sub %[[XW]], %[[ZERO]]
// CHECK-NEXT: %[[WN:.*]] = mica.cast %[[W]] : tensor<5x3x2x3xi8> to tensor<5x3x2x3xi32>
// CHECK-NEXT: %[[R:.*]] = mica.conv2d_transpose %[[XN]], %[[WN]] bias %[[B]] layout = nhwc_fhwc strides = [2, 3] :
// CHECK-NEXT: return %[[R]]
func.func @transposed_quantized(%x: tensor<1x4x4x3xi8>, %w: tensor<5x3x2x3xi8>, %b: tensor<5xi32>) -> tensor<1x9x11x5xi32> {
  %x_zp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %w_zp = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.transpose_conv2d %x, %w, %b, %x_zp, %w_zp {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 3>}
     : (tensor<1x4x4x3xi8>, tensor<5x3x2x3xi8>, tensor<5xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x11x5xi32>
  return %0 : tensor<1x9x11x5xi32>
}

// CHECK-LABEL: func.func @small_integers(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x3xi8>
// CHECK-NEXT: %[[MAX:.*]] = mica.max_pool %[[X]] layout = nhwc kernel = [2, 2] strides = [2, 2]
// CHECK-NEXT: %[[AT:.*]] = mica.argmax %[[MAX]] axis = 3 : (tensor<1x4x4x3xi8>) -> tensor<1x4x4xi32>
// CHECK-NEXT: return %[[AT]]
func.func @small_integers(%x: tensor<1x8x8x3xi8>) -> tensor<1x4x4xi32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xi8>) -> tensor<1x4x4x3xi8>
  %1 = tosa.argmax %0 {axis = 3 : i32} : (tensor<1x4x4x3xi8>) -> tensor<1x4x4xi32>
  return %1 : tensor<1x4x4xi32>
}

// CHECK-LABEL: func.func @border(
// CHECK-SAME: %[[X:.*]]: tensor<?x5xf32>
// CHECK-NEXT: %[[R:.*]] = mica.pad %[[X]] low = [0, 1] high = [2, 3] mode = constant value = 2.500000e+00 : f32 : (tensor<?x5xf32>) -> tensor<?x9xf32>
// CHECK-NEXT: return %[[R]]
func.func @border(%x: tensor<?x5xf32>) -> tensor<?x9xf32> {
  %value = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %padding = tosa.const_shape {values = dense<[0, 2, 1, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %0 = tosa.pad %x, %padding, %value : (tensor<?x5xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x9xf32>
  return %0 : tensor<?x9xf32>
}

// CHECK-LABEL: func.func @positions_of_half_pixels(
// CHECK-NEXT: mica.resize %{{.*}} layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<?x4x6x3xf32>) -> tensor<?x8x9x3xf32>
func.func @positions_of_half_pixels(%x: tensor<?x4x6x3xf32>) -> tensor<?x8x9x3xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<?x4x6x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x8x9x3xf32>
  return %0 : tensor<?x8x9x3xf32>
}

// CHECK-LABEL: func.func @positions_between_corners(
// CHECK-NEXT: mica.resize %{{.*}} layout = nhwc mode = bilinear coordinates = align_corners : (tensor<1x4x4x3xf32>) -> tensor<1x7x10x3xf32>
func.func @positions_between_corners(%x: tensor<1x4x4x3xf32>) -> tensor<1x7x10x3xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 3, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x10x3xf32>
  return %0 : tensor<1x7x10x3xf32>
}

// Halfway between two elements tosa takes the later one.
// CHECK-LABEL: func.func @positions_from_the_corner(
// CHECK-NEXT: mica.resize %{{.*}} layout = nhwc mode = nearest coordinates = asymmetric rounding = prefer_ceil : (tensor<1x4x4x3xi8>) -> tensor<1x8x8x3xi8>
func.func @positions_from_the_corner(%x: tensor<1x4x4x3xi8>) -> tensor<1x8x8x3xi8> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xi8>
  return %0 : tensor<1x8x8x3xi8>
}

// CHECK-LABEL: func.func @reductions(
// CHECK-NEXT: mica.reduce prod %{{.*}} dims = [1] keep_dims : (tensor<3x?xf16>) -> tensor<3x1xf16>
// CHECK-NEXT: mica.reduce min %{{.*}} dims = [0] keep_dims : (tensor<3x1xf16>) -> tensor<1x1xf16>
// CHECK-NEXT: mica.reduce max %{{.*}} dims = [0] keep_dims : (tensor<3x?xi1>) -> tensor<1x?xi1>
// CHECK-NEXT: mica.reduce min %{{.*}} dims = [1] keep_dims : (tensor<1x?xi1>) -> tensor<1x1xi1>
func.func @reductions(%x: tensor<3x?xf16>, %c: tensor<3x?xi1>) -> (tensor<1x1xf16>, tensor<1x1xi1>) {
  %0 = tosa.reduce_product %x {axis = 1 : i32} : (tensor<3x?xf16>) -> tensor<3x1xf16>
  %1 = tosa.reduce_min %0 {axis = 0 : i32} : (tensor<3x1xf16>) -> tensor<1x1xf16>
  %2 = tosa.reduce_any %c {axis = 0 : i32} : (tensor<3x?xi1>) -> tensor<1x?xi1>
  %3 = tosa.reduce_all %2 {axis = 1 : i32} : (tensor<1x?xi1>) -> tensor<1x1xi1>
  return %1, %3 : tensor<1x1xf16>, tensor<1x1xi1>
}

//===----------------------------------------------------------------------===//
// What stays in tosa
//===----------------------------------------------------------------------===//

// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @other_meanings_stay(
// CHECK: tosa.depthwise_conv2d
// CHECK: tosa.resize
// CHECK: tosa.resize
// CHECK: tosa.argmax
// CHECK: tosa.reduce_min
func.func @other_meanings_stay(%x: tensor<1x4x4x3xi8>, %w: tensor<1x1x3x1xi8>, %b: tensor<3xi32>, %y: tensor<1x4x4x3xf32>)
    -> (tensor<1x4x4x3xi32>, tensor<1x7x7x3xi32>, tensor<1x7x7x3xf32>, tensor<1x4x4xi32>, tensor<1x4x4x1xf32>) {
  %zp = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %one = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
     : (tensor<1x4x4x3xi8>, tensor<1x1x3x1xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
  // The sum of integers is scaled by a later operation.
  %1 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x3xi32>
  // The positions 1/2, 1, 3/2, .. are no coordinates of mica.resize.
  %2 = tosa.resize %y, %scale, %one, %one {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x3xf32>
  %3 = tosa.argmax %y {axis = 3 : i32, nan_mode = IGNORE} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4xi32>
  %4 = tosa.reduce_min %y {axis = 3 : i32, nan_mode = IGNORE} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x1xf32>
  return %0, %1, %2, %3, %4 : tensor<1x4x4x3xi32>, tensor<1x7x7x3xi32>, tensor<1x7x7x3xf32>, tensor<1x4x4xi32>, tensor<1x4x4x1xf32>
}
