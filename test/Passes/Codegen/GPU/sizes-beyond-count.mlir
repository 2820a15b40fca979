// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-split-reductions))' | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-select-reduction-config))' | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config))' | FileCheck %s --check-prefixes=CHECK,PRODUCT

// Products of sizes that no i64 holds (2^64 results are 0 of them) are just many, and nothing is divided by them.

// CHECK-LABEL: func.func @many_results
// CHECK: linalg.generic
func.func @many_results(%a: memref<4294967296x4294967296x8xf32>, %o: memref<4294967296x4294967296xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : memref<4294967296x4294967296x8xf32>) outs(%o : memref<4294967296x4294967296xf32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %x, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @many_columns
// CHECK: linalg.generic
func.func @many_columns(%a: memref<8x4294967296x4294967296xf32>, %o: memref<4294967296x4294967296xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>],
                  iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a : memref<8x4294967296x4294967296xf32>) outs(%o : memref<4294967296x4294967296xf32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %x, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @long
// SPLIT: memref.expand_shape {{.*}} output_shape [256, 18014398509481984]
// ROWS: #mica_codegen.gpu_reduction_config
func.func @long(%a: memref<4611686018427387904xf32>, %o: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a : memref<4611686018427387904xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %x, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @product
// PRODUCT: #mica_codegen.gpu_contraction_config
func.func @product(%a: memref<4294967296x4294967296xf32>, %b: memref<4294967296x4294967296xf32>,
                   %o: memref<4294967296x4294967296xf32>) {
  linalg.matmul ins(%a, %b : memref<4294967296x4294967296xf32>, memref<4294967296x4294967296xf32>)
      outs(%o : memref<4294967296x4294967296xf32>)
  return
}
