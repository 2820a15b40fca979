// RUN: mica-opt %s --mica-tensor-annotate-kinds | FileCheck %s
// Twice is once.
// MUTATION: stays green, doing nothing twice is doing nothing once.
// RUN: mica-opt %s --mica-tensor-annotate-kinds > %t.once
// RUN: mica-opt %t.once --mica-tensor-annotate-kinds | diff %t.once -

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The name of the op does not matter.
// CHECK-LABEL: func.func @generic_product
// CHECK:         linalg.generic {{.*}} attrs = {mica.kind = "matmul"}
func.func @generic_product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @contractions
// CHECK:         linalg.batch_matmul {mica.kind = "batch_matmul"}
// CHECK:         linalg.matvec {mica.kind = "matvec"}
// CHECK:         linalg.dot {mica.kind = "dot"}
func.func @contractions(%a: tensor<2x4x8xf32>, %b: tensor<2x8x2xf32>, %c: tensor<2x4x2xf32>, %m: tensor<4x8xf32>,
                        %v: tensor<8xf32>, %w: tensor<4xf32>, %s: tensor<f32>)
    -> (tensor<2x4x2xf32>, tensor<4xf32>, tensor<f32>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x2xf32>)
      outs(%c : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
  %1 = linalg.matvec ins(%m, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x4x2xf32>, tensor<4xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @windows
// CHECK:         linalg.conv_2d_nhwc_hwcf {{.*}}mica.kind = "conv2d"
// CHECK:         linalg.depthwise_conv_2d_nhwc_hwc {{.*}}mica.kind = "depthwise_conv2d"
// CHECK:         linalg.pooling_nhwc_max {{.*}}mica.kind = "max_pool2d"
func.func @windows(%x: tensor<1x8x8x3xf32>, %f: tensor<3x3x3x4xf32>, %o: tensor<1x6x6x4xf32>, %d: tensor<3x3x3xf32>,
                   %p: tensor<1x6x6x3xf32>, %w: tensor<3x3xf32>)
    -> (tensor<1x6x6x4xf32>, tensor<1x6x6x3xf32>, tensor<1x6x6x3xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
      outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %1 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %d : tensor<1x8x8x3xf32>, tensor<3x3x3xf32>)
      outs(%p : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
  %2 = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3xf32>)
      outs(%p : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
  return %0, %1, %2 : tensor<1x6x6x4xf32>, tensor<1x6x6x3xf32>, tensor<1x6x6x3xf32>
}

// CHECK-LABEL: func.func @others
// CHECK:         linalg.fill {mica.kind = "fill"}
// CHECK:         linalg.transpose {{.*}} {mica.kind = "transpose"}
// CHECK:         linalg.broadcast {{.*}} {mica.kind = "broadcast"}
// CHECK:         linalg.add {mica.kind = "elementwise"}
// CHECK:         linalg.generic {{.*}} attrs = {mica.kind = "reduction"}
// CHECK:         linalg.softmax {mica.kind = "softmax"}
// CHECK-NOT:     mica.kind
func.func @others(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %r: tensor<4xf32>, %s: f32)
    -> (tensor<4x8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // A kind that is wrong is put right.
  %1 = linalg.transpose ins(%y : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0] {mica.kind = "matmul"}
  %2 = linalg.broadcast ins(%r : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %3 = linalg.add ins(%1, %2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%3 : tensor<4x8xf32>) outs(%r : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %5 = arith.maximumf %a, %acc : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  %6 = linalg.softmax dimension(1) ins(%3 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %6, %4 : tensor<4x8xf32>, tensor<4xf32>
}
