// What vectorization and the plans of contractions say of their decisions.
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-cpu-select-contraction-config))' --remarks-filter=contraction -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-codegen-vectorize-loops))' --remarks-filter=vectorization -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-codegen-vectorize-loops{vector-bits=0}))' --remarks-filter=vectorization -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-cpu-tile-and-fuse-rows))' --remarks-filter=strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILES

#id = affine_map<(i) -> (i)>
// PLAN: remarks.mlir:[[#@LINE+2]]:8: remark: [Passed] planned | {{.*}}contraction, outer products, blocks of
func.func @planned(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// LOOPS: remarks.mlir:[[#@LINE+3]]:3: remark: [Passed] vectorized | {{.*}}1 ops in one nest, in vectors of 64 elements along loop 0 of 1
// OFF: remarks.mlir:[[#@LINE+2]]:3: remark: [Missed] not-vectorized | {{.*}}scalar loops: vectorization is off
func.func @vectors(%a: memref<1003xf32>, %o: memref<1003xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<1003xf32>) outs(%o : memref<1003xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}

// LOOPS: remarks.mlir:[[#@LINE+2]]:3: remark: [Missed] not-vectorized | {{.*}}scalar loops: no loop has two iterations
func.func @one_element(%a: memref<1xf32>, %o: memref<1xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<1xf32>) outs(%o : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}

#same = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
// LOOPS: remarks.mlir:[[#@LINE+3]]:3: remark: [Passed] transposed | {{.*}}blocks of 16x16 elements transposed in registers: inputs are contiguous along loop 0, results along loop 1
// LOOPS: remarks.mlir:[[#@LINE+2]]:3: remark: [Passed] vectorized
func.func @transposed(%a: memref<64x40xf32>, %o: memref<40x64xf32>) {
  linalg.generic {indexing_maps = [#swapped, #same], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x40xf32>) outs(%o : memref<40x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// TILES: remarks.mlir:[[#@LINE+5]]:3: remark: [Passed] tiled-transpose | {{.*}}tiles of 64x64 elements, because an input is contiguous along another dimension than the output
func.func @tiled(%a: memref<500x700xf32>, %o: memref<700x500xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<500x700xf32> to tensor<500x700xf32>
  %e = tensor.empty() : tensor<700x500xf32>
  %r = linalg.generic {indexing_maps = [#swapped, #same], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<500x700xf32>) outs(%e : tensor<700x500xf32>) { ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 } -> tensor<700x500xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<700x500xf32>, memref<700x500xf32>) -> ()
  return
}
