// RUN: mica-opt %s --mica-sim-convert-nvgpu | FileCheck %s
// RUN: mica-opt %s --mica-sim-convert-nvgpu | FileCheck %s --check-prefix=TYPES

// CHECK-LABEL: gpu.func @pipeline(%arg0: !llvm.ptr, %arg1: memref<64x16xf32>) kernel
// CHECK: nvvm.mbarrier.init %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %{{.*}}, box[%{{.*}}, %{{.*}}] : !llvm.ptr<7>, !llvm.ptr
// Loops keep their bounds, and carry registers.
// CHECK: scf.for %{{.*}} = %c0 to %c1 step %c1 iter_args(%{{.*}}) -> (!llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32)>)>)
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %{{.*}}, <m = 64, n = 16, k = 16>
// The first rows of the sums are stored.
// CHECK: memref.store %{{.*}}, %arg1
// CHECK-LABEL: func.func @main(
// CHECK: %[[MAP:.*]] = llvm.call @mgpuTensorMapEncodeTiledMemref(
// CHECK: gpu.launch_func  @kernels::@pipeline {{.*}} args(%[[MAP]] : !llvm.ptr, %arg1 : memref<64x16xf32>)
// TYPES-NOT: nvgpu

!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!sums = !nvgpu.warpgroup.accumulator<fragmented = vector<64x16xf32>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @tile : memref<64x64xf16, 3>
    gpu.func @pipeline(%map: !map, %d: memref<64x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %even = arith.constant 0 : i1
      %bar = nvgpu.mbarrier.create -> !bar
      nvgpu.mbarrier.init %bar[%c1], %c1 : !bar
      %tile = memref.get_global @tile : memref<64x64xf16, 3>
      nvgpu.tma.async.load %map[%c0, %c1], %bar[%c1] to %tile : !map, !bar -> memref<64x64xf16, 3>
      %none = nvgpu.warpgroup.mma.init.accumulator -> !sums
      %a = nvgpu.warpgroup.generate.descriptor %tile, %map : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>
      %b = nvgpu.warpgroup.generate.descriptor %tile, %map : memref<64x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<16x16xf16, 3>>
      %all = scf.for %i = %c0 to %c1 step %c1 iter_args(%sums = %none) -> (!sums) {
        nvgpu.mbarrier.try_wait.parity %bar[%c1], %even, %c1 : !bar
        %next = nvgpu.warpgroup.mma %a, %b, %sums {transposeB} : <tensor = memref<64x16xf16, 3>>, <tensor = memref<16x16xf16, 3>>, <fragmented = vector<64x16xf32>> -> <fragmented = vector<64x16xf32>>
        scf.yield %next : !sums
      }
      nvgpu.warpgroup.mma.store %all, %d : <fragmented = vector<64x16xf32>> to memref<64x16xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<*xf16>, %d: memref<64x16xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %map = nvgpu.tma.create.descriptor %x box[%c64, %c64] : memref<*xf16> -> !map
    gpu.launch_func @kernels::@pipeline blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%map : !map, %d : memref<64x16xf32>)
    return
  }
}
