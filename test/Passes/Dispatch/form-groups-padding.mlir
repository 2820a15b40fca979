// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-mica-to-linalg,mica-dispatch-form-groups{padding=true}))' | FileCheck %s
// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-mica-to-linalg,mica-dispatch-form-groups))' | FileCheck %s --check-prefix=APART

// Each channel of the result reads one of the image: a tile of channels pads its own.
// CHECK-LABEL: func.func @depthwise
// CHECK:       tensor.pad {{.*}} {
// CHECK:       } {mica_sched.group = [[G:[0-9]+]] : i64}
// CHECK:       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]{{.*}} attrs = {mica_sched.group = [[G]] : i64}
// APART-LABEL: func.func @depthwise
// APART:       } {mica_sched.group = [[G:[0-9]+]] : i64}
// APART-NOT:   mica_sched.group = [[G]] : i64
// APART:       linalg.
// APART:       return
func.func @depthwise(%x: tensor<1x8x12x12xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x8x12x12xf32> {
  %r = mica.conv2d %x, %w layout = nchw_fchw pads = [1, 1, 1, 1] groups = 8
     : (tensor<1x8x12x12xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x12x12xf32>
  return %r : tensor<1x8x12x12xf32>
}

// -----

// All filters read all channels: each tile would pad the whole image again.
// CHECK-LABEL: func.func @dense
// CHECK:       } {mica_sched.group = [[G:[0-9]+]] : i64}
// CHECK-NOT:   "reduction"]{{.*}} attrs = {mica_sched.group = [[G]] : i64}
// CHECK:       return
func.func @dense(%x: tensor<1x8x12x12xf32>, %w: tensor<4x8x3x3xf32>) -> tensor<1x4x12x12xf32> {
  %r = mica.conv2d %x, %w layout = nchw_fchw pads = [1, 1, 1, 1]
     : (tensor<1x8x12x12xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x12x12xf32>
  return %r : tensor<1x4x12x12xf32>
}

// -----

// Channels last: a tile of channels would pad images with gaps.
// CHECK-LABEL: func.func @channels_last
// CHECK:       } {mica_sched.group = [[G:[0-9]+]] : i64}
// CHECK-NOT:   "reduction"]{{.*}} attrs = {mica_sched.group = [[G]] : i64}
// CHECK:       return
func.func @channels_last(%x: tensor<1x12x12x8xf32>, %w: tensor<3x3x1x8xf32>) -> tensor<1x12x12x8xf32> {
  %r = mica.conv2d %x, %w layout = nhwc_hwcf pads = [1, 1, 1, 1] groups = 8
     : (tensor<1x12x12x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x12x12x8xf32>
  return %r : tensor<1x12x12x8xf32>
}

// -----

// The padded image is a result too.
// CHECK-LABEL: func.func @needed
// CHECK:       } {mica_sched.group = [[G:[0-9]+]] : i64}
// CHECK-NOT:   "reduction"]{{.*}} attrs = {mica_sched.group = [[G]] : i64}
// CHECK:       return
func.func @needed(%x: tensor<1x8x12x12xf32>, %w: tensor<8x1x3x3xf32>) -> (tensor<1x8x12x12xf32>, tensor<1x8x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x12x12xf32> to tensor<1x8x14x14xf32>
  %r = mica.conv2d %p, %w layout = nchw_fchw groups = 8
     : (tensor<1x8x14x14xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x12x12xf32>
  return %r, %p : tensor<1x8x12x12xf32>, tensor<1x8x14x14xf32>
}
