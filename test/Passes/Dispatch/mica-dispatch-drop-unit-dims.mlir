// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-drop-unit-dims))' -split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#stat = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// CHECK-LABEL: func.func @statistics_become_one_value_per_row
func.func @statistics_become_one_value_per_row(%x: tensor<1x32x64xf32>, %m: tensor<1x32x1xf32>) -> tensor<1x32x64xf32> {
  %e = tensor.empty() : tensor<1x32x64xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "parallel"]
  // CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<32x64xf32>, tensor<32xf32>)
  %0 = linalg.generic {indexing_maps = [#id, #stat, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<1x32x64xf32>, tensor<1x32x1xf32>) outs(%e : tensor<1x32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x32x64xf32>
  return %0 : tensor<1x32x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @epilogue_of_a_product_keeps_its_loops
func.func @epilogue_of_a_product_keeps_its_loops(%a: tensor<1x16xf32>, %b: tensor<16x8xf32>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<1x16xf32>, tensor<16x8xf32>) outs(%c : tensor<1x8xf32>) -> tensor<1x8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%{{.*}} : tensor<1x8xf32>)
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
