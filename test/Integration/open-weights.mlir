// Convolutions of tosa whose weights and biases have dynamic sizes: the numbers are those of the reference evaluator, also by the
// reference lowering and in the simulator. A bias of one element is repeated; sizes that do not fit end the run at the line of the op.
// REQUIRES: compiler
// RUN: rm -rf %t && mica-compile %s -o %t && mica-compile --plain %s -o %t.plain && mica-compile --target=sim %s -o %t.sim
// RUN: mica-run %t --entry=planes --input=1x4x4x5x2xf32=random:1 --input=3x2x3x2x2xf32=random:2 --input=3xf32=random:3 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=planes --input=1x4x4x5x2xf32=random:1 --input=3x2x3x2x2xf32=random:2 --input=1xf32=2 --check-reference | FileCheck %s
// RUN: mica-run %t.sim --entry=planes --input=1x4x4x5x2xf32=random:1 --input=3x2x3x2x2xf32=random:2 --input=1xf32=2 --check-reference | FileCheck %s
// RUN: mica-run %t.plain --entry=planes --input=1x4x4x5x2xf32=random:1 --input=3x2x3x2x2xf32=random:2 --input=1xf32=2 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=depthwise --input=1x4x4x2xi8=random:1 --input=2x2x2x3xi8=random:2 --input=6xi32=1,2,3,4,5,6 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=depthwise --input=1x4x4x2xi8=random:1 --input=2x2x2x3xi8=random:2 --input=1xi32=7 --check-reference | FileCheck %s
// RUN: mica-run %t.plain --entry=depthwise --input=1x4x4x2xi8=random:1 --input=2x2x2x3xi8=random:2 --input=6xi32=1,2,3,4,5,6 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=floats --input=1x4x4x2xf32=random:1 --input=3x2x2x2xf32=random:2 --input=1xf32=7 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=floats --input=1x4x4x2xf32=random:1 --input=3x2x2x2xf32=random:2 --input=3xf32=7 --check-reference | FileCheck %s
// CHECK: reference: result 0 {{.*}}: {{same|within tolerance}}

// A bias of two elements for three channels, other channels than the image has, and a window that is larger than it with its border.
// RUN: not mica-run %t --entry=planes --input=1x4x4x5x2xf32=1 --input=3x2x3x2x2xf32=1 --input=2xf32=2 2>&1 | FileCheck %s --check-prefix=PLANES
// RUN: not mica-run %t --entry=planes --input=1x4x4x5x2xf32=1 --input=3x2x7x2x2xf32=1 --input=3xf32=2 2>&1 | FileCheck %s --check-prefix=PLANES
// RUN: not mica-run %t --entry=depthwise --input=1x4x4x2xi8=1 --input=2x2x3x2xi8=1 --input=6xi32=1 2>&1 | FileCheck %s --check-prefix=DEPTHWISE
// RUN: not mica-run %t --entry=depthwise --input=1x4x4x2xi8=1 --input=2x2x2x2xi8=1 --input=5xi32=1 2>&1 | FileCheck %s --check-prefix=DEPTHWISE
// RUN: not mica-run %t --entry=floats --input=1x4x4x2xf32=1 --input=3x2x2x2xf32=1 --input=2xf32=1 2>&1 | FileCheck %s --check-prefix=FLOATS

func.func @planes(%x: tensor<1x4x4x?x2xf32>, %w: tensor<?x2x?x2x2xf32>, %b: tensor<?xf32>) -> tensor<1x?x?x?x?xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // PLANES: error: {{.*}}open-weights.mlir:[[#@LINE + 1]]:8
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 0, 1, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x4x?x2xf32>, tensor<?x2x?x2x2xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x?x?xf32>
  return %0 : tensor<1x?x?x?x?xf32>
}
func.func @depthwise(%x: tensor<1x4x4x2xi8>, %w: tensor<2x2x?x?xi8>, %b: tensor<?xi32>) -> tensor<1x?x?x?xi32> {
  %z = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // DEPTHWISE: error: {{.*}}open-weights.mlir:[[#@LINE + 1]]:8
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x2x?x?xi8>, tensor<?xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x?x?xi32>
  return %0 : tensor<1x?x?x?xi32>
}
func.func @floats(%x: tensor<1x4x4x2xf32>, %w: tensor<?x2x2x2xf32>, %b: tensor<?xf32>) -> tensor<1x3x3x?xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // FLOATS: error: {{.*}}open-weights.mlir:[[#@LINE + 1]]:8
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<?x2x2x2xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x?xf32>
  return %0 : tensor<1x3x3x?xf32>
}
