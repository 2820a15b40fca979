// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(mica-dispatch-expand-batches))' | FileCheck %s

#score = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#key = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#value = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// The scores are reduced in four dimensions, and the weights were exponentials in four: both products get them.
// CHECK-LABEL: func.func @attention
// CHECK-SAME:  (%[[Q:.*]]: tensor<2x4x64x8xf32>,
// CHECK:       %[[S:.*]] = linalg.generic {{.*}} ins(%[[Q]], %{{.*}} : tensor<2x4x64x8xf32>, tensor<2x4x96x8xf32>) outs(%{{.*}} : tensor<2x4x64x96xf32>)
// CHECK-NOT:   tensor.expand_shape %[[S]]
// CHECK:       linalg.generic {{.*}} ins(%[[S]] : tensor<2x4x64x96xf32>) outs(%{{.*}} : tensor<2x4x64xf32>)
// CHECK:       %[[E:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x64x96xf32>)
// CHECK-NOT:   tensor.collapse_shape %[[E]]
// CHECK:       linalg.generic {{.*}} ins(%[[E]], %{{.*}} : tensor<2x4x64x96xf32>, tensor<2x4x96x8xf32>)
func.func @attention(%q: tensor<2x4x64x8xf32>, %k: tensor<2x4x96x8xf32>, %v: tensor<2x4x96x8xf32>, %f: tensor<8x64x96xf32>,
                     %g: tensor<8x64x8xf32>, %m: tensor<2x4x64xf32>) -> tensor<8x64x8xf32> {
  %q1 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x64x8xf32> into tensor<8x64x8xf32>
  %k1 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x4x96x8xf32> into tensor<8x96x8xf32>
  %v1 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x4x96x8xf32> into tensor<8x96x8xf32>
  %s = linalg.generic {indexing_maps = [#score, #key, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q1, %k1 : tensor<8x64x8xf32>, tensor<8x96x8xf32>) outs(%f : tensor<8x64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x64x96xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 64, 96] : tensor<8x64x96xf32> into tensor<2x4x64x96xf32>
  %x = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s4 : tensor<2x4x64x96xf32>) outs(%m : tensor<2x4x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x4x64xf32>
  %e0 = tensor.empty() : tensor<2x4x64x96xf32>
  %e = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s4, %x : tensor<2x4x64x96xf32>, tensor<2x4x64xf32>) outs(%e0 : tensor<2x4x64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %t = math.exp %d : f32
    linalg.yield %t : f32
  } -> tensor<2x4x64x96xf32>
  %w = tensor.collapse_shape %e [[0, 1], [2], [3]] : tensor<2x4x64x96xf32> into tensor<8x64x96xf32>
  %r = linalg.generic {indexing_maps = [#score, #value, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v1 : tensor<8x64x96xf32>, tensor<8x96x8xf32>) outs(%g : tensor<8x64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x64x8xf32>
  return %r : tensor<8x64x8xf32>
}

// -----

#score = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#key = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// A product whose result nothing reduces keeps its dimensions.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @alone
// CHECK:       linalg.generic {{.*}} outs(%{{.*}} : tensor<8x64x96xf32>)
// CHECK:       tensor.expand_shape
func.func @alone(%q: tensor<8x64x8xf32>, %k: tensor<8x96x8xf32>, %f: tensor<8x64x96xf32>) -> tensor<2x4x64x96xf32> {
  %s = linalg.generic {indexing_maps = [#score, #key, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x64x8xf32>, tensor<8x96x8xf32>) outs(%f : tensor<8x64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x64x96xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 64, 96] : tensor<8x64x96xf32> into tensor<2x4x64x96xf32>
  return %s4 : tensor<2x4x64x96xf32>
}
