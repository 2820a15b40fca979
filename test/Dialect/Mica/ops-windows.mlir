// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null

// Every operation's documented example, then the forms that the examples do not show, parses and prints again.

// CHECK-LABEL: func.func @conv(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x32x32x3xf32>, %[[B:[a-z0-9]+]]: tensor<3x3x3x16xf32>, %[[C:[a-z0-9]+]]: tensor<16xf32>
// CHECK: %[[R:.*]] = mica.conv2d %[[A]], %[[B]] bias %[[C]] layout = nhwc_hwcf strides = [2, 2] pads = [1, 1, 1, 1] : (tensor<?x32x32x3xf32>, tensor<3x3x3x16xf32>, tensor<16xf32>) -> tensor<?x16x16x16xf32>
// CHECK: return %[[R]]
func.func @conv(%x: tensor<?x32x32x3xf32>, %w: tensor<3x3x3x16xf32>, %b: tensor<16xf32>) -> tensor<?x16x16x16xf32> {
  %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf strides = [2, 2] pads = [1, 1, 1, 1]
     : (tensor<?x32x32x3xf32>, tensor<3x3x3x16xf32>, tensor<16xf32>) -> tensor<?x16x16x16xf32>
  return %0 : tensor<?x16x16x16xf32>
}

// CHECK-LABEL: func.func @max_pool(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x28x28x6xf32>
// CHECK: %[[R:.*]] = mica.max_pool %[[A]] layout = nhwc kernel = [2, 2] strides = [2, 2] : (tensor<?x28x28x6xf32>) -> tensor<?x14x14x6xf32>
// CHECK: return %[[R]]
func.func @max_pool(%x: tensor<?x28x28x6xf32>) -> tensor<?x14x14x6xf32> {
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] strides = [2, 2]
     : (tensor<?x28x28x6xf32>) -> tensor<?x14x14x6xf32>
  return %0 : tensor<?x14x14x6xf32>
}

// CHECK-LABEL: func.func @avg_pool(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<1x6x28x28xf32>
// CHECK: %[[R:.*]] = mica.avg_pool %[[A]] layout = nchw kernel = [2, 2] strides = [2, 2] pads = [1, 1, 1, 1] count_include_pad : (tensor<1x6x28x28xf32>) -> tensor<1x6x15x15xf32>
// CHECK: return %[[R]]
func.func @avg_pool(%x: tensor<1x6x28x28xf32>) -> tensor<1x6x15x15xf32> {
  %0 = mica.avg_pool %x layout = nchw kernel = [2, 2] strides = [2, 2] pads = [1, 1, 1, 1] count_include_pad
     : (tensor<1x6x28x28xf32>) -> tensor<1x6x15x15xf32>
  return %0 : tensor<1x6x15x15xf32>
}

// CHECK-LABEL: func.func @conv_dilated_without_bias(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<1x3x9x9xf32>, %[[B:[a-z0-9]+]]: tensor<4x3x3x3xf32>
// CHECK: %[[R:.*]] = mica.conv2d %[[A]], %[[B]] layout = nchw_fchw dilations = [2, 2] : (tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x5xf32>
// CHECK: return %[[R]]
func.func @conv_dilated_without_bias(%x: tensor<1x3x9x9xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x5x5xf32> {
  %0 = mica.conv2d %x, %w layout = nchw_fchw dilations = [2, 2]
     : (tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// CHECK-LABEL: func.func @conv_of_image_of_unknown_size(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<1x?x?x3xf32>, %[[B:[a-z0-9]+]]: tensor<4x3x3x3xf32>
// CHECK: %[[R:.*]] = mica.conv2d %[[A]], %[[B]] layout = nhwc_fhwc : (tensor<1x?x?x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x?x?x4xf32>
// CHECK: return %[[R]]
func.func @conv_of_image_of_unknown_size(%x: tensor<1x?x?x3xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x?x?x4xf32> {
  %0 = mica.conv2d %x, %w layout = nhwc_fhwc : (tensor<1x?x?x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x?x?x4xf32>
  return %0 : tensor<1x?x?x4xf32>
}

// CHECK-LABEL: func.func @pool_rounds_down(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<1x7x7x2xi64>
// CHECK: %[[R:.*]] = mica.max_pool %[[A]] layout = nhwc kernel = [2, 2] strides = [2, 2] : (tensor<1x7x7x2xi64>) -> tensor<1x3x3x2xi64>
// CHECK: return %[[R]]
func.func @pool_rounds_down(%x: tensor<1x7x7x2xi64>) -> tensor<1x3x3x2xi64> {
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] strides = [2, 2] : (tensor<1x7x7x2xi64>) -> tensor<1x3x3x2xi64>
  return %0 : tensor<1x3x3x2xi64>
}

// CHECK-LABEL: func.func @conv1d(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x80x100xf32>, %[[B:[a-z0-9]+]]: tensor<32x80x3xf32>, %[[C:[a-z0-9]+]]: tensor<32xf32>
// CHECK: %[[R:.*]] = mica.conv1d %[[A]], %[[B]] bias %[[C]] layout = ncw_fcw strides = [2] pads = [1, 1] : (tensor<?x80x100xf32>, tensor<32x80x3xf32>, tensor<32xf32>) -> tensor<?x32x50xf32>
// CHECK: return %[[R]]
func.func @conv1d(%x: tensor<?x80x100xf32>, %w: tensor<32x80x3xf32>, %b: tensor<32xf32>) -> tensor<?x32x50xf32> {
  %0 = mica.conv1d %x, %w bias %b layout = ncw_fcw strides = [2] pads = [1, 1]
     : (tensor<?x80x100xf32>, tensor<32x80x3xf32>, tensor<32xf32>) -> tensor<?x32x50xf32>
  return %0 : tensor<?x32x50xf32>
}

// CHECK-LABEL: func.func @upsample(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x8x8x32xf32>, %[[B:[a-z0-9]+]]: tensor<16x3x3x32xf32>, %[[C:[a-z0-9]+]]: tensor<16xf32>
// CHECK: %[[R:.*]] = mica.conv2d_transpose %[[A]], %[[B]] bias %[[C]] layout = nhwc_fhwc strides = [2, 2] pads = [1, 0, 1, 0] : (tensor<?x8x8x32xf32>, tensor<16x3x3x32xf32>, tensor<16xf32>) -> tensor<?x16x16x16xf32>
// CHECK: return %[[R]]
func.func @upsample(%x: tensor<?x8x8x32xf32>, %w: tensor<16x3x3x32xf32>, %b: tensor<16xf32>) -> tensor<?x16x16x16xf32> {
  %0 = mica.conv2d_transpose %x, %w bias %b layout = nhwc_fhwc strides = [2, 2] pads = [1, 0, 1, 0]
     : (tensor<?x8x8x32xf32>, tensor<16x3x3x32xf32>, tensor<16xf32>) -> tensor<?x16x16x16xf32>
  return %0 : tensor<?x16x16x16xf32>
}

// CHECK-LABEL: func.func @conv_depthwise(
// CHECK: mica.conv2d %{{.*}}, %{{.*}} layout = nhwc_hwcf groups = 8 : (tensor<1x9x9x8xf16>, tensor<3x3x1x16xf16>) -> tensor<1x7x7x16xf16>
func.func @conv_depthwise(%x: tensor<1x9x9x8xf16>, %w: tensor<3x3x1x16xf16>) -> tensor<1x7x7x16xf16> {
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf groups = 8 : (tensor<1x9x9x8xf16>, tensor<3x3x1x16xf16>) -> tensor<1x7x7x16xf16>
  return %0 : tensor<1x7x7x16xf16>
}

// CHECK-LABEL: func.func @transposed_in_groups(
// CHECK: mica.conv2d_transpose %{{.*}}, %{{.*}} layout = nchw_cfhw strides = [2, 1] dilations = [1, 2] pads = [0, -1, 1, 1] groups = 2 : (tensor<1x4x5x5xbf16>, tensor<4x3x2x3xbf16>) -> tensor<1x6x11x7xbf16>
func.func @transposed_in_groups(%x: tensor<1x4x5x5xbf16>, %w: tensor<4x3x2x3xbf16>) -> tensor<1x6x11x7xbf16> {
  %0 = mica.conv2d_transpose %x, %w layout = nchw_cfhw strides = [2, 1] dilations = [1, 2] pads = [0, -1, 1, 1] groups = 2
     : (tensor<1x4x5x5xbf16>, tensor<4x3x2x3xbf16>) -> tensor<1x6x11x7xbf16>
  return %0 : tensor<1x6x11x7xbf16>
}

// A window that the end cuts off counts with ceil_mode, unless it would begin behind the image.
// CHECK-LABEL: func.func @pool_rounds_up(
// CHECK: mica.max_pool %{{.*}} layout = nhwc kernel = [2, 2] strides = [2, 3] dilations = [1, 2] pads = [0, 0, 1, 1] ceil_mode : (tensor<1x7x8x2xi8>) -> tensor<1x4x3x2xi8>
func.func @pool_rounds_up(%x: tensor<1x7x8x2xi8>) -> tensor<1x4x3x2xi8> {
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] strides = [2, 3] dilations = [1, 2] pads = [0, 0, 1, 1] ceil_mode
     : (tensor<1x7x8x2xi8>) -> tensor<1x4x3x2xi8>
  return %0 : tensor<1x4x3x2xi8>
}
