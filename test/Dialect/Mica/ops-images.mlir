// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null

// Every operation's documented example, then the forms that the examples do not show, parses and prints again.

// CHECK-LABEL: func.func @mirror(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x3x32x32xf32>
// CHECK: %[[R:.*]] = mica.pad %[[A]] low = [0, 0, 1, 2] high = [0, 0, 1, 2] mode = reflect : (tensor<?x3x32x32xf32>) -> tensor<?x3x34x36xf32>
// CHECK: return %[[R]]
func.func @mirror(%x: tensor<?x3x32x32xf32>) -> tensor<?x3x34x36xf32> {
  %0 = mica.pad %x low = [0, 0, 1, 2] high = [0, 0, 1, 2] mode = reflect
     : (tensor<?x3x32x32xf32>) -> tensor<?x3x34x36xf32>
  return %0 : tensor<?x3x34x36xf32>
}

// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x16x20x30xf32>
// CHECK: %[[R:.*]] = mica.resize %[[A]] layout = nchw mode = bilinear coordinates = half_pixel : (tensor<?x16x20x30xf32>) -> tensor<?x16x40x60xf32>
// CHECK: return %[[R]]
func.func @twice(%x: tensor<?x16x20x30xf32>) -> tensor<?x16x40x60xf32> {
  %0 = mica.resize %x layout = nchw mode = bilinear coordinates = half_pixel
     : (tensor<?x16x20x30xf32>) -> tensor<?x16x40x60xf32>
  return %0 : tensor<?x16x40x60xf32>
}

// CHECK-LABEL: func.func @pad_with_value(
// CHECK: mica.pad %{{.*}} low = [0, 1] high = [2, 0] mode = constant value = 1.500000e+00 : f16 : (tensor<?x4xf16>) -> tensor<?x5xf16>
func.func @pad_with_value(%x: tensor<?x4xf16>) -> tensor<?x5xf16> {
  %0 = mica.pad %x low = [0, 1] high = [2, 0] mode = constant value = 1.5 : f16 : (tensor<?x4xf16>) -> tensor<?x5xf16>
  return %0 : tensor<?x5xf16>
}

// CHECK-LABEL: func.func @resize_to_sizes(
// CHECK: mica.resize %{{.*}} sizes(%{{.*}}, %{{.*}}) layout = nhwc mode = nearest coordinates = asymmetric rounding = floor : (tensor<1x4x4x3xi8>, index, index) -> tensor<1x?x?x3xi8>
func.func @resize_to_sizes(%x: tensor<1x4x4x3xi8>, %h: index, %w: index) -> tensor<1x?x?x3xi8> {
  %0 = mica.resize %x sizes(%h, %w) layout = nhwc mode = nearest coordinates = asymmetric rounding = floor
     : (tensor<1x4x4x3xi8>, index, index) -> tensor<1x?x?x3xi8>
  return %0 : tensor<1x?x?x3xi8>
}
