// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-collapse-contiguous-dims))' | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func.func @all(
// CHECK-SAME:    %[[A:.*]]: memref<16x16x8xf32>, %[[O:.*]]: memref<16x16x8xf32>)
// CHECK-DAG:     %[[CA:.*]] = memref.collapse_shape %[[A]] {{\[}}[0, 1, 2]]
// CHECK-DAG:     %[[CO:.*]] = memref.collapse_shape %[[O]] {{\[}}[0, 1, 2]]
// CHECK:         linalg.generic {{.*}} ins(%[[CA]] : memref<2048xf32>) outs(%[[CO]] : memref<2048xf32>)
func.func @all(%a: memref<16x16x8xf32>, %o: memref<16x16x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<16x16x8xf32>) outs(%o : memref<16x16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>

// A bias along the last dimension keeps that dimension.
// CHECK-LABEL: func.func @bias
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<256x8xf32>, memref<8xf32>)
func.func @bias(%a: memref<16x16x8xf32>, %b: memref<8xf32>, %o: memref<16x16x8xf32>) {
  linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : memref<16x16x8xf32>, memref<8xf32>) outs(%o : memref<16x16x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Rows with gaps stay rows.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT:     memref.collapse_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : memref<4x8xf32, strided<[16, 1]>>)
func.func @gaps(%a: memref<4x8xf32, strided<[16, 1]>>, %o: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x8xf32, strided<[16, 1]>>) outs(%o : memref<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
