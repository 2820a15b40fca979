// RUN: mica-opt %s -convert-mica-to-linalg -split-input-file | FileCheck %s

// Groups are a loop of their own, over reshapes that move nothing.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 * 2 + d5, d2 + d6 * 3, d3, d7)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d5, d6, d7, d3, d4)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @grouped_conv(
// CHECK: %[[X:.*]] = tensor.expand_shape %{{.*}} : tensor<?x9x9x6xf32> into tensor<?x9x9x3x2xf32>
// CHECK: %[[W:.*]] = tensor.expand_shape %{{.*}} : tensor<3x3x2x12xf32> into tensor<3x3x2x3x4xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #[[RESULT]]]
// CHECK-SAME: ins(%[[X]], %[[W]]
// CHECK: tensor.collapse_shape %[[R]] {{.*}} : tensor<?x4x3x3x4xf32> into tensor<?x4x3x12xf32>
func.func @grouped_conv(%x: tensor<?x9x9x6xf32>, %w: tensor<3x3x2x12xf32>) -> tensor<?x4x3x12xf32> {
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf strides = [2, 1] dilations = [1, 3] groups = 3
     : (tensor<?x9x9x6xf32>, tensor<3x3x2x12xf32>) -> tensor<?x4x3x12xf32>
  return %0 : tensor<?x4x3x12xf32>
}

// -----

// A depthwise convolution keeps the shape of its image, and reduces the window alone.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d4, d5)>
// CHECK-LABEL: func.func @depthwise_conv(
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK-NOT: tensor.expand_shape
func.func @depthwise_conv(%x: tensor<1x6x9x9xf32>, %w: tensor<6x1x3x3xf32>) -> tensor<1x6x7x7xf32> {
  %0 = mica.conv2d %x, %w layout = nchw_fchw groups = 6 : (tensor<1x6x9x9xf32>, tensor<6x1x3x3xf32>) -> tensor<1x6x7x7xf32>
  return %0 : tensor<1x6x7x7xf32>
}

// -----

// Zeros between the elements, the filter turned round, a convolution with stride 1.
// CHECK-LABEL: func.func @transposed_conv(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x2xf32>, %[[W:.*]]: tensor<3x2x2x2xf32>
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<1x9x9x2xf32>
// CHECK: %[[SPREAD:.*]] = tensor.insert_slice %[[X]] into %[[ZEROS]][0, 1, 1, 0] [1, 4, 4, 2] [1, 2, 2, 1]
// CHECK: %[[TURNED:.*]] = linalg.generic
// CHECK: tensor.extract %[[W]]
// CHECK: linalg.generic {{.*}} ins(%[[SPREAD]], %[[TURNED]]
func.func @transposed_conv(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x8x8x3xf32> {
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc strides = [2, 2]
     : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}

// -----

// The image is padded as far as the last window reaches: 1 more row than the op's own pads.
// CHECK-LABEL: func.func @pool_rounds_up(
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.pooling_nhwc_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
func.func @pool_rounds_up(%x: tensor<1x7x7x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] strides = [2, 2] dilations = [1, 2] pads = [0, 0, 1, 1] ceil_mode
     : (tensor<1x7x7x2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// -----

// Sums of narrow floats are made in f32, and rounded once.
// CHECK-LABEL: func.func @mean_of_halves(
// CHECK: linalg.pooling_nchw_sum {{.*}} ins(%{{.*}} : tensor<1x2x4x4xf16>, tensor<2x2xf32>) outs(%{{.*}} : tensor<1x2x3x3xf32>)
// CHECK: arith.divf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @mean_of_halves(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x3x3xf16> {
  %0 = mica.avg_pool %x layout = nchw kernel = [2, 2] : (tensor<1x2x4x4xf16>) -> tensor<1x2x3x3xf16>
  return %0 : tensor<1x2x3x3xf16>
}
