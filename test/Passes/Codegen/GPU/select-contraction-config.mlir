// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config))' | FileCheck %s
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config{compute-capability=75}))' -remarks-filter=.* 2>&1 >/dev/null | FileCheck %s --check-prefix=OLD
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config{allow-tf32}))' -remarks-filter=.* 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-contraction-config{workgroup-bytes=4096}))' -remarks-filter=.* 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// What sums begin with, the product, and what is made of its results are one launch, with loops as they are.
// CHECK-LABEL: func.func @half(
// CHECK-COUNT-3: mica_codegen.keep_loops, mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [32, 32], stages = 4, reason = "{{[^"]+}}">
// OLD: workgroup_tiles instead of tensor_cores: the device is sm_75, and their code is for sm_80 and later
// OLD: a thread per result instead of workgroup_tiles: the device is sm_75, and the copies are asynchronous
// SAID: workgroup_tiles instead of tensor_cores: a step needs more than the 4096 bytes of workgroup memory
// SAID: a thread per result instead of workgroup_tiles: a step needs more than the 4096 bytes of workgroup memory
func.func @half(%a: memref<256x512xf16>, %b: memref<512x128xf16>, %o: memref<256x128xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<256x128xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<256x128xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<256x512xf16>, memref<512x128xf16>) outs(%c : memref<256x128xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : memref<256x128xf32>) outs(%o : memref<256x128xf16>) {
  ^bb0(%x: f32, %out: f16):
    %0 = arith.truncf %x : f32 to f16
    linalg.yield %0 : f16
  }
  return
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// Tensor cores would round f32 to fewer digits, which is done where it is allowed. A result that somebody else reads too keeps its own
// op behind it.
// TF32: tensor_cores, tiles 64x64x16, 32x32 a warp, 4 stages, inputs rounded to tf32
// TF32-LABEL: func.func @single(
// TF32-COUNT-1: strategy = tensor_cores, {{.*}}tile = [64, 64, 16], {{.*}}tf32 = true
// TF32-LABEL: func.func @largest_sum(
// TF32-NOT: tf32
// CHECK-LABEL: func.func @single(
// CHECK-COUNT-1: strategy = workgroup_tiles, group = {{[0-9]+}}, tile = [64, 64, 16]
// CHECK-NOT:     #mica_codegen.gpu_contraction_config
// SAID: they have no product of f32 that is summed in f32 with all its digits; the switch allow-tf32 has inputs rounded to tf32
func.func @single(%a: memref<?x512xf32>, %b: memref<512x128xf32>, %c: memref<?x128xf32>) {
  linalg.matmul ins(%a, %b : memref<?x512xf32>, memref<512x128xf32>) outs(%c : memref<?x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%c : memref<?x128xf32>) {
  ^bb0(%x: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// Zeros beyond the end of k, 24 of steps of 16, are no neutral elements of a largest sum. 32 would be two steps.
// CHECK-LABEL: func.func @largest_sum(
// CHECK-COUNT-1: #mica_codegen.gpu_contraction_config
// SAID: zeros beyond the end of the sums are not neutral in what is summed
func.func @largest_sum(%a: memref<64x24xf32>, %b: memref<24x64xf32>, %a2: memref<64x32xf32>, %b2: memref<32x64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x24xf32>, memref<24x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.maximumf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a2, %b2 : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.maximumf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Too small for a tile, and said to be no loss.
// MUTATION: stays green, no config is for it.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     #mica_codegen.gpu_contraction_config
func.func @small(%a: memref<8x512xf32>, %b: memref<512x128xf32>, %c: memref<8x128xf32>) {
  linalg.matmul ins(%a, %b : memref<8x512xf32>, memref<512x128xf32>) outs(%c : memref<8x128xf32>)
  return
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#s = affine_map<(d0, d1, d2) -> (d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// What is multiplied is computed of an input of i8 and its scales, and is f16. Where a factor moves with both sides it is none.
// CHECK-LABEL: func.func @computed(
// CHECK-COUNT-1: strategy = tensor_cores, group = {{[0-9]+}}, tile = [64, 64, 32]
// CHECK-NOT:     #mica_codegen.gpu_contraction_config
func.func @computed(%a: memref<128x96xf16>, %q: memref<96x64xi8>, %s: memref<64xf16>, %c: memref<128x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #s, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %q, %s : memref<128x96xf16>, memref<96x64xi8>, memref<64xf16>) outs(%c : memref<128x64xf32>) {
  ^bb0(%x: f16, %y: i8, %z: f16, %sum: f32):
    %0 = arith.sitofp %y : i8 to f16
    %1 = arith.mulf %0, %z : f16
    %2 = arith.extf %x : f16 to f32
    %3 = arith.extf %1 : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %sum, %4 : f32
    linalg.yield %5 : f32
  }
  linalg.generic {indexing_maps = [#a, #b, #s, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %q, %s : memref<128x96xf16>, memref<96x64xi8>, memref<64xf16>) outs(%c : memref<128x64xf32>) {
  ^bb0(%x: f16, %y: i8, %z: f16, %sum: f32):
    %0 = arith.sitofp %y : i8 to f16
    %1 = arith.mulf %x, %z : f16
    %2 = arith.extf %0 : f16 to f32
    %3 = arith.extf %1 : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %sum, %4 : f32
    linalg.yield %5 : f32
  }
  return
}
