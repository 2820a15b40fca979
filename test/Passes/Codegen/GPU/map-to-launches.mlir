// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-map-to-launches))' | FileCheck %s
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-map-to-launches{threads=64 vector-bytes=0}))' | FileCheck %s --check-prefix=PLAIN

#id = affine_map<(d0) -> (d0)>

// Four elements of a thread are one access; 80 threads are three warps.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[A:.*]]: memref<320xf32>
// CHECK:         gpu.launch blocks({{.*}}) in ({{.*}}%c1{{.*}}) threads({{.*}}) in ({{.*}}%c96
// CHECK-SAME:        module(@device) function(@elementwise_0)
// CHECK:           scf.if
// CHECK:             vector.transfer_read {{.*}} vector<4xf32>
// CHECK:             arith.negf {{.*}} : vector<4xf32>
// CHECK-NOT:     linalg
// PLAIN-LABEL: func.func @elementwise(
// PLAIN:         %[[BLOCKS:.*]] = arith.constant 5 : index
// PLAIN:         gpu.launch blocks({{.*}}) in ({{.*}} = %[[BLOCKS]],
// PLAIN-NOT:       scf.if
// PLAIN:           linalg.generic {{.*}} ins(%{{.*}} : memref<1xf32
func.func @elementwise(%a: memref<320xf32>, %o: memref<320xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<320xf32>) outs(%o : memref<320xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A thread per row: reductions stay loops of a thread. How many rows there are the host knows when it runs.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[ROWS:.*]] = memref.dim
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[ROWS]]
// CHECK:         scf.if %[[SOME]] {
// CHECK:           gpu.launch
// CHECK:             linalg.generic {{.*}} ins(%{{.*}} : memref<1x?xf32, {{.*}}>) outs(%{{.*}} : memref<1xf32
func.func @rows(%a: memref<?x?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<?x?xf32>) outs(%o : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is loaded in one launch and used in another passes through a buffer of one element.
// CHECK-LABEL: func.func @cell(
// CHECK:         %[[CELL:.*]] = memref.alloc() : memref<1xf32>
// CHECK:         gpu.launch
// CHECK:           %[[V:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<4xf32>
// CHECK:           memref.store %[[V]], %[[CELL]]
// CHECK:         gpu.launch
// CHECK:           %[[W:.*]] = memref.load %[[CELL]]
// CHECK:           arith.negf %[[W]]
func.func @cell(%a: memref<4xf32>, %o: memref<7xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.load %a[%c1] : memref<4xf32>
  %n = arith.negf %v : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : memref<7xf32>) {
  ^bb0(%out: f32):
    linalg.yield %n : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// A loop whose bounds the host knows stays there, with a launch in it; one without anything parallel is one thread's.
// CHECK-LABEL: func.func @loops(
// CHECK:         scf.for
// CHECK:           gpu.launch
// CHECK:             linalg.generic
// CHECK:         gpu.launch {{.*}}
// CHECK:           scf.for
// CHECK:             memref.store
func.func @loops(%o: memref<7xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%o : memref<7xf32>) {
    ^bb0(%out: f32):
      %0 = arith.addf %out, %x : f32
      linalg.yield %0 : f32
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %o[%i] : memref<7xf32>
  }
  return
}

// -----

// A temporary as large as the device says is none that the host can place.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:    mica_codegen.host_reason = "a temporary has a size that only the device knows"
// CHECK-NOT:     gpu.launch
func.func @unknown(%a: memref<1xindex>, %o: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %a[%c0] : memref<1xindex>
  %t = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %t[%c0] : memref<?xf32>
  memref.store %v, %o[%c0] : memref<7xf32>
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A row group is one launch, a warp per row: 700 floats are 175 accesses, so that the last one is not every thread's. The number
// per row stays in registers, and so do the row's elements.
// CHECK-LABEL: func.func @warp_rows(
// CHECK:         gpu.launch blocks({{.*}}) in ({{.*}}%c3{{.*}}) threads({{.*}}) in ({{.*}}%c32{{.*}}%c4
// CHECK-COUNT-5:   vector.load %{{.*}} {alignment = 16 : i64} : memref<9x700xf32>, vector<4xf32>
// CHECK:           scf.if {{.*}} -> (f32, f32, f32, f32, f32)
// CHECK:             vector.load
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK-NOT:       vector.load
// CHECK-NOT:       memref.load
// CHECK-COUNT-6:   vector.store
// CHECK-NOT:     gpu.launch
func.func @warp_rows(%a: memref<9x700xf32>, %o: memref<9x700xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<9xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%sum : memref<9xf32>) attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>} {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<9x700xf32>) outs(%sum : memref<9xf32>) attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>} {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]} ins(%a, %sum : memref<9x700xf32>, memref<9xf32>) outs(%o : memref<9x700xf32>) attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>} {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %0 = arith.divf %in, %total : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Four warps per row of a length that is not known: each thread goes through it in a loop, and warps meet in workgroup memory. What the
// result held before is one thread's; one thread stores.
// CHECK-LABEL: func.func @block_rows(
// CHECK:         gpu.launch blocks({{.*}}) threads({{.*}}) in ({{.*}}%c128{{.*}}) workgroup(%[[W:.*]] : memref<4xi32, #gpu.address_space<workgroup>>)
// CHECK:           scf.if {{.*}} -> (i32)
// CHECK:           scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c128{{.*}} iter_args
// CHECK-COUNT-5:   gpu.shuffle xor
// CHECK:           memref.store %{{.*}}, %[[W]]
// CHECK:           gpu.barrier
// CHECK-COUNT-4:   memref.load %[[W]]
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %{{.*}} : memref<?xi32>
func.func @block_rows(%d: memref<?x?xi32>, %e: memref<?xi32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%d : memref<?x?xi32>) outs(%e : memref<?xi32>) attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 128, elements = 1>} {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %out : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#plan = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [32, 32, 32], part = [16, 16], stages = 2>

// A tile of 32 x 32 results by four warps: while tensor cores work on one step the copies of the next are under way. 48 rows are one
// and a half tiles, so that rows of copies and of results are asked about; what is made of the results is made in registers.
// CHECK-LABEL: func.func @tensor_cores(
// CHECK:         gpu.launch blocks({{.*}}) in ({{.*}}%c4{{.*}}) threads({{.*}}) in ({{.*}}%c128{{.*}}) workgroup(%[[A:.*]] : memref<2x32x32xf16, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<2x32x32xf16, #gpu.address_space<workgroup>>)
// CHECK:           nvgpu.device_async_copy %{{.*}}, %[[A]][%{{.*}}], 8, %{{.*}} {bypassL1}
// CHECK:           nvgpu.device_async_copy %{{.*}}, %[[B]][%{{.*}}], 8 {bypassL1}
// CHECK:           %[[T:.*]] = nvgpu.device_async_create_group
// CHECK:           scf.for {{.*}} -> (vector<2x2xf32>, vector<2x2xf32>)
// CHECK:             nvgpu.device_async_wait %[[T]] {numGroups = 0 : i32}
// CHECK:             gpu.barrier
// CHECK:             nvgpu.device_async_copy
// CHECK:             nvgpu.device_async_create_group
// CHECK:             nvgpu.ldmatrix %[[A]]{{.*}} {numTiles = 4 : i32, transpose = false}
// CHECK:             nvgpu.ldmatrix %[[B]]{{.*}} {numTiles = 4 : i32, transpose = true}
// CHECK-COUNT-4:     nvgpu.mma.sync
// CHECK:           scf.if
// CHECK:             arith.truncf
// CHECK:             vector.store {{.*}} {alignment = 4 : i64} : memref<48x64xf16>, vector<2xf16>
// CHECK-NOT:     gpu.launch
func.func @tensor_cores(%a: memref<48x64xf16>, %b: memref<64x64xf16>, %o: memref<48x64xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<48x64xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%c : memref<48x64xf32>) attrs = {mica_codegen.lowering_config = #plan} {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  }
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<48x64xf16>, memref<64x64xf16>) outs(%c : memref<48x64xf32>) attrs = {mica_codegen.lowering_config = #plan} {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%c : memref<48x64xf32>) outs(%o : memref<48x64xf16>) attrs = {mica_codegen.lowering_config = #plan} {
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
#plan = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [32, 32, 16], part = [16, 16], stages = 2, tf32 = true>

// f32 by tensor cores: matrix loads of what lies side by side along k, the other input element by element; each element is rounded.
// CHECK-LABEL: func.func @tf32(
// CHECK:         workgroup(%[[A:.*]] : memref<2x32x16xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<2x16x32xf32, #gpu.address_space<workgroup>>)
// CHECK:           nvgpu.ldmatrix %[[A]]{{.*}} {numTiles = 4 : i32, transpose = false} : {{.*}} -> vector<4x1xf32>
// CHECK:           %[[V:.*]] = vector.extract
// CHECK:           %[[R:.*]] = nvvm.convert.float.to.tf32 %[[V]] {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK:           arith.bitcast %[[R]] : i32 to f32
// CHECK-NOT:       nvgpu.ldmatrix %[[B]]
// CHECK:           memref.load %[[B]]
// CHECK:           nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
func.func @tf32(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) attrs = {mica_codegen.lowering_config = #plan} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// 4 x 4 results of a thread. Rows of 21 floats begin at no multiples of 16 bytes: their elements are copied one by one, where there are
// any. Sums begin with what is there.
// CHECK-LABEL: func.func @tiles(
// CHECK:         gpu.launch {{.*}} threads({{.*}}) in ({{.*}}%c64{{.*}}) workgroup(%[[A:.*]] : memref<1x32x16xf32, {{.*}}>, %[[B:.*]] : memref<1x16x32xf32, {{.*}}>)
// CHECK:           scf.for
// CHECK:             gpu.barrier
// CHECK:             scf.if
// CHECK:               memref.load %{{.*}} : memref<32x21xf32>
// CHECK:             vector.store {{.*}}, %[[A]]
// CHECK:             gpu.barrier
// CHECK:             vector.load %[[A]]{{.*}} {alignment = 16 : i64}
// CHECK-COUNT-256:   arith.mulf
// CHECK-NOT:         nvgpu.mma
func.func @tiles(%a: memref<32x21xf32>, %b: memref<21x32xf32>, %o: memref<32x32xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<32x21xf32>, memref<21x32xf32>) outs(%o : memref<32x32xf32>) attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = workgroup_tiles, group = 0, tile = [32, 32, 16], part = [4, 4], stages = 1>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A named operation is lowered as its configuration says.
// CHECK-LABEL: func.func @named(
// CHECK:         workgroup(%{{.*}} : memref<2x32x16xf32, #gpu.address_space<workgroup>>
func.func @named(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = workgroup_tiles, group = 0,
      tile = [32, 32, 16], part = [4, 4], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
