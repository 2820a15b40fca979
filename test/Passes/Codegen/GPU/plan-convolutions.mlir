// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config))' -remarks-filter=.* 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.remarks
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config,mica-gpu-map-to-launches{host-memory=false},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=LAUNCH

// Image positions are the rows of a matrix, the window its columns: neither batch nor window is a loop of its own.
// CHECK-LABEL: func.func @nhwc(
// CHECK-COUNT-2: mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [32, 32], stages = 4, reason = "{{[^"]+}}">
// LAUNCH-LABEL: func.func @nhwc(
// The filter is a matrix as it lies there; so is the result.
// LAUNCH:       gpu.launch
// LAUNCH-SAME:    workgroup(%{{.*}} : memref<4x64x32xf16, #gpu.address_space<workgroup>>, %{{.*}} : memref<4x32x64xf16, #gpu.address_space<workgroup>>)
// LAUNCH-DAG:     %[[F:.*]] = memref.collapse_shape %arg1 {{\[}}[0, 1, 2], [3]] : memref<3x3x64x96xf16> into memref<576x96xf16>
// LAUNCH-DAG:     memref.collapse_shape %arg2 {{\[}}[0, 1, 2], [3]] : memref<?x56x56x96xf32> into memref<?x96xf32>
// Chunks of the image come from where positions in it and in the window are, taken apart.
// LAUNCH-DAG:     %[[W:.*]] = arith.remui %{{.*}}, %c56
// LAUNCH-DAG:     %[[ROW:.*]] = arith.divui %{{.*}}, %c56
// LAUNCH-DAG:     arith.remui %[[ROW]], %c56
// LAUNCH-DAG:     arith.remui %{{.*}}, %c64_i32
// LAUNCH-DAG:     arith.remui %{{.*}}, %c3_i32
// LAUNCH-DAG:     nvgpu.device_async_copy %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %{{.*}}, 8, %{{.*}} {bypassL1} : memref<?x58x58x64xf16>
// LAUNCH-DAG:     nvgpu.device_async_copy %[[F]][%{{.*}}, %{{.*}}], %{{.*}}, 8, %{{.*}} {bypassL1} : memref<576x96xf16>
// LAUNCH:         nvgpu.mma.sync
func.func @nhwc(%a: memref<?x58x58x64xf16>, %b: memref<3x3x64x96xf16>, %c: memref<?x56x56x96xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x56x56x96xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%a, %b : memref<?x58x58x64xf16>, memref<3x3x64x96xf16>) outs(%c : memref<?x56x56x96xf32>)
  return
}

// -----

// A tile's columns are positions in the image, whose elements do not lie in chunks: they are copied one by one.
// SAID: workgroup_tiles instead of tensor_cores: they have no product of f32 that is summed in f32
// CHECK-LABEL: func.func @nchw(
// CHECK-COUNT-1: strategy = workgroup_tiles, group = {{[0-9]+}}, tile = [64, 64, 16]
// LAUNCH-LABEL: func.func @nchw(
// LAUNCH-DAG:     %[[F:.*]] = memref.collapse_shape %arg1 {{\[}}[0], [1, 2, 3]] : memref<64x16x3x3xf32> into memref<64x144xf32>
// LAUNCH-DAG:     nvgpu.device_async_copy %[[F]]
// LAUNCH-DAG:     memref.load %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : memref<2x16x30x30xf32>
// LAUNCH-NOT:     nvgpu.device_async_copy %arg0
func.func @nchw(%a: memref<2x16x30x30xf32>, %b: memref<64x16x3x3xf32>, %c: memref<2x64x14x14xf32>) {
  linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x16x30x30xf32>, memref<64x16x3x3xf32>) outs(%c : memref<2x64x14x14xf32>)
  return
}

// -----

// The batch of a grouped convolution is its groups'; channels of a depthwise one have no filters to share.
// CHECK-LABEL: func.func @grouped(
// CHECK-COUNT-1: strategy = tensor_cores, group = {{[0-9]+}}, tile = [32, 32, 32]
// CHECK-NOT:     #mica_codegen.gpu_contraction_config
// LAUNCH-LABEL: func.func @grouped(
// LAUNCH:         gpu.launch blocks({{.*}}) in (%{{[a-z_0-9]*}} = %c{{[0-9]+}}
func.func @grouped(%a: memref<2x9x9x4x32xf16>, %b: memref<4x32x3x3x32xf16>, %c: memref<2x7x7x4x32xf32>, %d: memref<2x9x9x32xf16>, %e: memref<3x3x32xf16>, %f: memref<2x7x7x32xf32>) {
  linalg.conv_2d_nhwgc_gfhwc ins(%a, %b : memref<2x9x9x4x32xf16>, memref<4x32x3x3x32xf16>) outs(%c : memref<2x7x7x4x32xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%d, %e : memref<2x9x9x32xf16>, memref<3x3x32xf16>) outs(%f : memref<2x7x7x32xf32>)
  return
}

// -----

// SAID: workgroup_tiles instead of tensor_cores: a loop that sums has a size known at run time only, and lies within another one
// SAID: a thread per result instead of workgroup_tiles: a loop that sums has a size known at run time only
// SAID: a thread per result instead of workgroup_tiles: an input is copied element by element, and each of them is used 24 times only
// CHECK-LABEL: func.func @rejected(
// CHECK-NOT:     #mica_codegen.gpu_contraction_config
func.func @rejected(%a: memref<2x32x32x64xf16>, %b: memref<?x?x64x64xf16>, %c: memref<2x?x?x64xf32>, %d: memref<2x16x30x30xf32>, %e: memref<24x16x3x3xf32>, %f: memref<2x24x28x28xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%a, %b : memref<2x32x32x64xf16>, memref<?x?x64x64xf16>) outs(%c : memref<2x?x?x64xf32>)
  linalg.conv_2d_nchw_fchw ins(%d, %e : memref<2x16x30x30xf32>, memref<24x16x3x3xf32>) outs(%f : memref<2x24x28x28xf32>)
  return
}

// -----

#a = affine_map<(b, s, e, d) -> (b, s, d)>
#b = affine_map<(b, s, e, d) -> (d, e)>
#c = affine_map<(b, s, e, d) -> (b, s, e)>

// Few rows each, which lie one after the other, are rows of one product.
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-1: strategy = workgroup_tiles, group = {{[0-9]+}}, tile = [64, 64, 16]
// LAUNCH-LABEL: func.func @rows(
// LAUNCH-DAG:     memref.collapse_shape %arg0 {{\[}}[0, 1], [2]] : memref<16x8x64xf32> into memref<128x64xf32>
// LAUNCH-DAG:     memref.collapse_shape %arg2 {{\[}}[0, 1], [2]] : memref<16x8x96xf32> into memref<128x96xf32>
// LAUNCH-NOT:     arith.divui %{{.*}}, %c8
func.func @rows(%a: memref<16x8x64xf32>, %b: memref<64x96xf32>, %c: memref<16x8x96xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<16x8x64xf32>, memref<64x96xf32>) outs(%c : memref<16x8x96xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

#bias = affine_map<(n, h, w, f) -> (f)>
#id = affine_map<(n, h, w, f) -> (n, h, w, f)>

// Sums begin with the bias, and results are rounded before they are written: one launch, and no memory for sums.
// CHECK-LABEL: func.func @bias(
// CHECK-COUNT-3: #mica_codegen.gpu_contraction_config<{{.*}}group = 0
// What the second one begins with is what the first one does with its results already: it begins with what is there.
// CHECK-LABEL: func.func @two(
// CHECK-COUNT-2: #mica_codegen.gpu_contraction_config<{{.*}}group = 0
// CHECK-COUNT-1: #mica_codegen.gpu_contraction_config<{{.*}}group = 1
// LAUNCH-LABEL: func.func @bias(
// LAUNCH-NOT:     memref.alloc(
// LAUNCH:         gpu.launch
// LAUNCH:         vector.load %arg2[%{{.*}}] {{.*}} : memref<64xf16>, vector<2xf16>
// LAUNCH:         nvgpu.mma.sync
// LAUNCH:         vector.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {{.*}} : memref<?x64xf16>, vector<2xf16>
// LAUNCH-NOT:     gpu.launch
// LAUNCH-LABEL: func.func @two(
func.func @bias(%a: memref<?x58x58x64xf16>, %b: memref<3x3x64x64xf16>, %c: memref<64xf16>, %d: memref<?x56x56x64xf16>, %n: index) {
  %sums = memref.alloc(%n) : memref<?x56x56x64xf32>
  linalg.generic {indexing_maps = [#bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : memref<64xf16>) outs(%sums : memref<?x56x56x64xf32>) {
  ^bb0(%x: f16, %out: f32):
    %0 = arith.extf %x : f16 to f32
    linalg.yield %0 : f32
  }
  linalg.conv_2d_nhwc_hwcf ins(%a, %b : memref<?x58x58x64xf16>, memref<3x3x64x64xf16>) outs(%sums : memref<?x56x56x64xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : memref<?x56x56x64xf32>) outs(%d : memref<?x56x56x64xf16>) {
  ^bb0(%x: f32, %out: f16):
    %0 = arith.truncf %x : f32 to f16
    linalg.yield %0 : f16
  }
  return
}
func.func @two(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  }
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
