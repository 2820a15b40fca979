// RUN: mica-run %s --input=random:1 --input=random:2 --input=random:3 --check-reference

// A window along the rows whose elements also move by the row, or the step, in another dimension: no element is in the windows of two results.
#a = affine_map<(r, c, k) -> (r + k, r, c)>
#b = affine_map<(r, c, k) -> (r + k, k, c)>
#w = affine_map<(r, c, k) -> (k)>
#o = affine_map<(r, c, k) -> (r, c)>
func.func @main(%x: tensor<14x12x32xf32>, %y: tensor<14x3x32xf32>, %w: tensor<3xf32>) -> (tensor<12x32xf32>, tensor<12x32xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x32xf32>) -> tensor<12x32xf32>
  %0 = linalg.generic {indexing_maps = [#a, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<14x12x32xf32>, tensor<3xf32>) outs(%f : tensor<12x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<12x32xf32>
  %1 = linalg.generic {indexing_maps = [#b, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%y, %w : tensor<14x3x32xf32>, tensor<3xf32>) outs(%f : tensor<12x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<12x32xf32>
  return %0, %1 : tensor<12x32xf32>, tensor<12x32xf32>
}
