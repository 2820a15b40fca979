// A program as older versions wrote it, then as this version reads it; what was done is said with its place and number.
// RUN: mica-opt %s --upgrade 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.said
// RUN: not mica-opt %s
// RUN: mica-opt %s --upgrade 2>/dev/null | mica-opt --upgrade 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: upgraded: nothing, no older spelling is in it

// SAID: upgrade.mlir:[[#@LINE+11]]:8: upgraded: 'tosa.const': attribute 'value' is called 'values' (3 times)
// SAID: upgraded: 'tosa.reshape': the shape is an operand (2 times)
// SAID: upgraded: 'tosa.transpose': the permutation is an attribute

// Attributes that became operands; comments and strings stay: "tosa.const"() {value = 1}.
// CHECK-LABEL: func.func @tosa(
// CHECK-DAG: %[[C:.*]] = "tosa.const"() <{values = dense<2.000000e+00> : tensor<6xf32>}>
// CHECK-DAG: tosa.const_shape  {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
// CHECK: tosa.reshape %[[C]], %{{.*}} : (tensor<6xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
func.func @tosa(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // "tosa.const"() {value = dense<1.0> : tensor<6xf32>}
  %0 = "tosa.const"() {value = dense<2.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %1 = "tosa.reshape"(%0) {new_shape = array<i64: 2, 3>} : (tensor<6xf32>) -> tensor<2x3xf32>
  %2 = tosa.add %x, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %perms = "tosa.const"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  // CHECK: tosa.transpose %{{.*}} {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = tosa.transpose %2, %perms : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %3 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @tosa_network(
// CHECK: tosa.pad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>)
// CHECK: tosa.conv2d %{{.*}} {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
// CHECK: tosa.clamp %{{.*}} {max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : f32}
// CHECK: tosa.avg_pool2d %{{.*}} {acc_type = f32
// CHECK: tosa.mul %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1xi8>)
// CHECK: tosa.conv2d %{{.*}} : (tensor<1x1x1x3xf32>, tensor<5x1x1x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x5xf32>
// CHECK: tosa.reduce_sum %{{.*}} {axis = 1 : i32}
func.func @tosa_network(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>, %m: tensor<5x3xf32>, %c: tensor<5xf32>) -> tensor<1x1xf32> {
  %p = "tosa.const"() {value = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi32>} : () -> tensor<4x2xi32>
  %0 = "tosa.pad"(%x, %p) : (tensor<1x4x4x2xf32>, tensor<4x2xi32>) -> tensor<1x6x6x2xf32>
  %1 = "tosa.conv2d"(%0, %w, %b) {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %2 = "tosa.clamp"(%1) {max_fp = 6.0 : f32, max_int = 6 : i64, min_fp = 0.0 : f32, min_int = 0 : i64} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %3 = "tosa.avg_pool2d"(%2) {kernel = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>) -> tensor<1x1x1x3xf32>
  %4 = "tosa.mul"(%3, %3) {shift = 0 : i32} : (tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
  %5 = "tosa.reshape"(%4) {new_shape = array<i64: 1, 3>} : (tensor<1x1x1x3xf32>) -> tensor<1x3xf32>
  %6 = "tosa.fully_connected"(%5, %m, %c) : (tensor<1x3xf32>, tensor<5x3xf32>, tensor<5xf32>) -> tensor<1x5xf32>
  %7 = "tosa.reduce_sum"(%6) {axis = 1 : i64} : (tensor<1x5xf32>) -> tensor<1x1xf32>
  return %7 : tensor<1x1xf32>
}

// A product whose batch only the run knows.
// CHECK-LABEL: func.func @tosa_any_batch(
// CHECK: tosa.reshape %{{.*}} : (tensor<?x3xf32>, !tosa.shape<4>) -> tensor<?x1x1x3xf32>
// CHECK: tosa.conv2d %{{.*}} -> tensor<?x1x1x5xf32>
// CHECK: tosa.reshape %{{.*}} : (tensor<?x1x1x5xf32>, !tosa.shape<2>) -> tensor<?x5xf32>
func.func @tosa_any_batch(%x: tensor<?x3xf32>, %m: tensor<5x3xf32>, %c: tensor<5xf32>) -> tensor<?x5xf32> {
  %0 = "tosa.fully_connected"(%x, %m, %c) : (tensor<?x3xf32>, tensor<5x3xf32>, tensor<5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// Windows that do not end where the padded image ends: the padding behind it is smaller, or the image.
// CHECK-LABEL: func.func @tosa_windows(
// CHECK: tosa.conv2d %{{.*}} {acc_type = f32, {{.*}}pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x8x9x2xf32>,
// CHECK: %[[PART:.*]] = tosa.slice %{{.*}} : (tensor<1x4x5x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x5x3xf32>
// CHECK: tosa.max_pool2d %[[PART]] {kernel = array<i64: 1, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x3x5x3xf32>) -> tensor<1x2x2x3xf32>
func.func @tosa_windows(%x: tensor<1x8x9x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x2x2x3xf32> {
  %0 = "tosa.conv2d"(%x, %w, %b) {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x8x9x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x4x5x3xf32>
  %1 = "tosa.max_pool2d"(%0) {kernel = array<i64: 1, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x2x2x3xf32>
  return %1 : tensor<1x2x2x3xf32>
}

// Zero points of a quantised program.
// CHECK-LABEL: func.func @tosa_quantised(
// CHECK-DAG: "tosa.const"() <{values = dense<-3> : tensor<1xi8>}>
// CHECK-DAG: "tosa.const"() <{values = dense<5> : tensor<1xi8>}>
// CHECK: tosa.matmul %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x2x3xi8>, tensor<1x3x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x4xi32>
func.func @tosa_quantised(%a: tensor<1x2x3xi8>, %b: tensor<1x3x4xi8>) -> tensor<1x2x4xi32> {
  %0 = "tosa.matmul"(%a, %b) {quantization_info = #tosa.matmul_quant<a_zp = -3, b_zp = 5>} : (tensor<1x2x3xi8>, tensor<1x3x4xi8>) -> tensor<1x2x4xi32>
  return %0 : tensor<1x2x4xi32>
}

// CHECK-LABEL: func.func @static_shape(
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
func.func @static_shape(%x: tensor<6x4xf32>) -> tensor<2x3x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2]] : tensor<6x4xf32> into tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// A size that is not known is computed: the whole by what is known.
// CHECK-LABEL: func.func @dynamic_shape(
// CHECK: %[[D:.*]] = tensor.dim %[[X:.*]], %{{.*}} : tensor<?x?xf32>
// CHECK: %[[S:.*]] = arith.divsi %[[D]], %{{.*}} : index
// CHECK: %[[T:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x?xf32>
// CHECK: tensor.expand_shape %[[X]] {{\[\[}}0, 1, 2], [3]] output_shape [2, %[[S]], 4, %[[T]]]
func.func @dynamic_shape(%x: tensor<?x?xf32>) -> tensor<2x?x4x?xf32> {
  %0 = tensor.expand_shape %x [[0, 1, 2], [3]] : tensor<?x?xf32> into tensor<2x?x4x?xf32>
  return %0 : tensor<2x?x4x?xf32>
}

// CHECK-LABEL: func.func @packs(
// CHECK: linalg.pack %{{.*}} inner_dims_pos = [0] inner_tiles = [4] into
// CHECK: linalg.unpack %{{.*}} inner_dims_pos = [0] inner_tiles = [4] into
func.func @packs(%x: tensor<8xf32>, %p: tensor<2x4xf32>) -> tensor<8xf32> {
  %0 = tensor.pack %x inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8xf32> -> tensor<2x4xf32>
  %1 = tensor.unpack %0 inner_dims_pos = [0] inner_tiles = [4] into %x : tensor<2x4xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @products(
// CHECK: linalg.matmul indexing_maps = [#[[KM:.*]], #[[KN:.*]], #[[MN:.*]]] ins
// CHECK: linalg.batch_matmul indexing_maps = [#[[BMK:.*]], #[[BNK:.*]], #[[BMN:.*]]] ins
func.func @products(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>, %o: tensor<2x4xf32>, %c: tensor<5x2x3xf32>, %d: tensor<5x4x3xf32>, %q: tensor<5x2x4xf32>) -> (tensor<2x4xf32>, tensor<5x2x4xf32>) {
  %0 = linalg.matmul_transpose_a ins(%a, %b : tensor<3x2xf32>, tensor<3x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.batch_matmul_transpose_b ins(%c, %d : tensor<5x2x3xf32>, tensor<5x4x3xf32>) outs(%q : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<5x2x4xf32>
}
