// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-split-reductions))' | FileCheck %s
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-split-reductions))' -remarks-filter=.* 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
#none = affine_map<() -> ()>

// SAID: 16 parts of 4096 iterations, 0 left over
// CHECK-DAG: #[[BOTH:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @everything(
// CHECK-SAME:    %[[A:.*]]: memref<65536xf32>, %[[SUM:.*]]: memref<f32>)
// CHECK:         %[[PARTIAL:.*]] = memref.alloc() : memref<16xf32>
// CHECK:         linalg.generic {{.*}} outs(%[[PARTIAL]] : memref<16xf32>)
// CHECK:         %[[PARTS:.*]] = memref.expand_shape %[[A]] {{.*}} into memref<16x4096xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[BOTH]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[PARTS]] : memref<16x4096xf32>) outs(%[[PARTIAL]] : memref<16xf32>)
// CHECK:         linalg.generic {{.*}} outs(%[[SUM]] : memref<f32>)
// CHECK:         linalg.generic {{.*}} ins(%[[PARTIAL]] : memref<16xf32>) outs(%[[SUM]] : memref<f32>)
// CHECK-NEXT:    ^bb0(%[[PART:.*]]: f32, %[[TOTAL:.*]]: f32):
// CHECK-NEXT:      arith.addf %[[PART]], %[[TOTAL]] : f32
// CHECK-NOT:     linalg.generic
func.func @everything(%a: memref<65536xf32>, %sum: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#none], iterator_types = []} outs(%sum : memref<f32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  }
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<65536xf32>) outs(%sum : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    %0 = arith.addf %square, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A prime number of elements: 24 parts that begin at multiples of 16, and the rest.
// SAID: 24 parts of 4160 iterations, 163 left over
// CHECK-LABEL: func.func @prime(
// CHECK:         memref.subview %{{.*}}[0, 0] [2, 99840] [1, 1]
// CHECK:         memref.expand_shape {{.*}}into memref<2x24x4160xi32
// CHECK:         iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         memref.subview %{{.*}}[0, 99840] [2, 163] [1, 1]
// CHECK:         linalg.generic {{.*}} outs(%arg1 : memref<2xi32>)
// CHECK:         linalg.generic {{.*}} outs(%arg1 : memref<2xi32>)
func.func @prime(%a: memref<2x100003xi32>, %max: memref<2xi32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<2x100003xi32>) outs(%max : memref<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.maxsi %in, %out : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Rows enough, rows too short, and what nobody knows before it runs.
// SAID: a block per result: how many elements a result has is known at run time only
// CHECK-LABEL: func.func @not_split(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @not_split(%a: memref<17x65536xf32>, %b: memref<2x16383xf32>, %c: memref<2x?xf32>, %s: memref<17xf32>, %t: memref<2xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<17x65536xf32>) outs(%s : memref<17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%b : memref<2x16383xf32>) outs(%t : memref<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%c : memref<2x?xf32>) outs(%t : memref<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#ab = affine_map<(d0, d1) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// A vector times a matrix: neighbouring elements belong to neighbouring results. Parts are the outermost loop and dimension.
// SAID: 8 parts of 64 iterations, 0 left over
// CHECK-DAG: #[[VECTOR:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[PARTIAL:.*]] = memref.alloc() : memref<8x384xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[VECTOR]], #[[ALL]], #[[RESULT]]], iterator_types = ["parallel", "reduction", "parallel"]} ins(%{{.*}}, %{{.*}} : memref<8x64xf16>, memref<8x64x384xf16>) outs(%[[PARTIAL]] : memref<8x384xf32>)
// CHECK:         linalg.generic {indexing_maps = [#[[LAST]], #{{.*}}], iterator_types = ["parallel", "reduction"]} ins(%[[PARTIAL]] : memref<8x384xf32>) outs(%arg2 : memref<384xf32>)
func.func @columns(%x: memref<512xf16>, %w: memref<512x384xf16>, %sum: memref<384xf32>) {
  linalg.generic {indexing_maps = [#ab, #matrix, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %w : memref<512xf16>, memref<512x384xf16>) outs(%sum : memref<384xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

#matrix = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// As many results as threads, and columns of too few elements, stay as they are.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @enough(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @enough(%a: memref<512x65536xf32>, %sum: memref<65536xf32>, %b: memref<100x384xf32>, %few: memref<384xf32>) {
  linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["reduction", "parallel"]} ins(%a : memref<512x65536xf32>) outs(%sum : memref<65536xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["reduction", "parallel"]} ins(%b : memref<100x384xf32>) outs(%few : memref<384xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}
