// A product of two 128x128 matrices of f16 by one warpgroup: two stages of TMA loads with a swizzle of 128 bytes, whose
// mbarriers tell when they are there, and wgmma from workgroup memory. Rows of A lie along k, rows of B across it.
// RUN: mica-run --target=sim %s | FileCheck %s
// RUN: mica-run --target=sim --mica-debug=sim-schedule=reversed %s | FileCheck %s
// RUN: mica-run --target=sim --mica-debug=sim-check=none %s | FileCheck %s
// CHECK: right
// CHECK-NEXT: 16384
// CHECK-NEXT: wrong
// CHECK-NEXT: 0

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!mapA = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mapB = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!memory = memref<?xi8, #gpu.address_space<workgroup>>
!half = memref<64x64xf16, #gpu.address_space<workgroup>>
!tileA = memref<128x64xf16, #gpu.address_space<workgroup>>
!tileB = memref<64x128xf16, #gpu.address_space<workgroup>>
!sums = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %c13 = arith.constant 13 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %bytes = arith.constant 65536 : i32
  %a = memref.alloc() : memref<128x128xf16>
  %b = memref.alloc() : memref<128x128xf16>
  %want = memref.alloc() : memref<128x128xf32>
  scf.for %i = %c0 to %c128 step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      %i7 = arith.muli %i, %c7 : index
      %ij = arith.addi %i7, %j : index
      %u = arith.remui %ij, %c13 : index
      %v = arith.remui %ij, %c11 : index
      %ui = arith.index_cast %u : index to i32
      %vi = arith.index_cast %v : index to i32
      %uf = arith.sitofp %ui : i32 to f16
      %vf = arith.sitofp %vi : i32 to f16
      memref.store %uf, %a[%i, %j] : memref<128x128xf16>
      memref.store %vf, %b[%i, %j] : memref<128x128xf16>
    }
  }
  %da = gpu.alloc () : memref<128x128xf16>
  %db = gpu.alloc () : memref<128x128xf16>
  %dd = gpu.alloc host_shared () : memref<128x128xf32>
  gpu.memcpy %da, %a : memref<128x128xf16>, memref<128x128xf16>
  gpu.memcpy %db, %b : memref<128x128xf16>, memref<128x128xf16>
  %anyA = memref.cast %da : memref<128x128xf16> to memref<*xf16>
  %anyB = memref.cast %db : memref<128x128xf16> to memref<*xf16>
  %mapA = nvgpu.tma.create.descriptor %anyA box[%c128, %c64] : memref<*xf16> -> !mapA
  %mapB = nvgpu.tma.create.descriptor %anyB box[%c64, %c64] : memref<*xf16> -> !mapB
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %bytes {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k64 = arith.constant 64 : index
    %stageA = arith.constant 16384 : index
    %halfB = arith.constant 8192 : index
    %startB = arith.constant 32768 : index
    %expected = arith.constant 32768 : index
    %ticks = arith.constant 10000000 : index
    %even = arith.constant 0 : i1
    %memory = gpu.dynamic_shared_memory : !memory
    %bar = nvgpu.mbarrier.create -> !barriers
    %isFirst = arith.cmpi eq, %tx, %k0 : index
    nvgpu.mbarrier.init %bar[%k0], %k1, predicate = %isFirst : !barriers
    nvgpu.mbarrier.init %bar[%k1], %k1, predicate = %isFirst : !barriers
    nvgpu.tma.prefetch.descriptor %mapA, predicate = %isFirst : !mapA
    gpu.barrier
    scf.if %isFirst {
      scf.for %stage = %k0 to %k2 step %k1 {
        %k = arith.muli %stage, %k64 : index
        %atA = arith.muli %stage, %stageA : index
        %ofB = arith.muli %stage, %stageA : index
        %atB = arith.addi %ofB, %startB : index
        %atB2 = arith.addi %atB, %halfB : index
        %tileA = memref.view %memory[%atA][] : !memory to !tileA
        %left = memref.view %memory[%atB][] : !memory to !half
        %right = memref.view %memory[%atB2][] : !memory to !half
        nvgpu.mbarrier.arrive.expect_tx %bar[%stage], %expected : !barriers
        nvgpu.tma.async.load %mapA[%k, %k0], %bar[%stage] to %tileA : !mapA, !barriers -> !tileA
        nvgpu.tma.async.load %mapB[%k0, %k], %bar[%stage] to %left : !mapB, !barriers -> !half
        nvgpu.tma.async.load %mapB[%k64, %k], %bar[%stage] to %right : !mapB, !barriers -> !half
      }
    }
    %none = nvgpu.warpgroup.mma.init.accumulator -> !sums
    %all = scf.for %stage = %k0 to %k2 step %k1 iter_args(%sums = %none) -> (!sums) {
      nvgpu.mbarrier.try_wait.parity %bar[%stage], %even, %ticks : !barriers
      %atA = arith.muli %stage, %stageA : index
      %atB = arith.addi %atA, %startB : index
      %tileA = memref.view %memory[%atA][] : !memory to !tileA
      %tileB = memref.view %memory[%atB][] : !memory to !tileB
      %descA = nvgpu.warpgroup.generate.descriptor %tileA, %mapA : !tileA, !mapA -> !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
      %descB = nvgpu.warpgroup.generate.descriptor %tileB, %mapB : !tileB, !mapB -> !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
      %next = nvgpu.warpgroup.mma %descA, %descB, %sums {transposeB} : <tensor = memref<128x64xf16, 3>>, <tensor = memref<64x128xf16, 3>>, <fragmented = vector<128x128xf32>> -> <fragmented = vector<128x128xf32>>
      scf.yield %next : !sums
    }
    nvvm.wgmma.wait.group.sync.aligned 0
    nvgpu.warpgroup.mma.store %all, %dd : <fragmented = vector<128x128xf32>> to memref<128x128xf32>
    gpu.terminator
  }
  linalg.fill ins(%zero : f32) outs(%want : memref<128x128xf32>)
  linalg.matmul ins(%a, %b : memref<128x128xf16>, memref<128x128xf16>) outs(%want : memref<128x128xf32>)
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %right:2 = scf.for %i = %c0 to %c128 step %c1 iter_args(%r = %i0, %w = %i0) -> (i32, i32) {
    %row:2 = scf.for %j = %c0 to %c128 step %c1 iter_args(%r2 = %r, %w2 = %w) -> (i32, i32) {
      %x = memref.load %want[%i, %j] : memref<128x128xf32>
      %y = memref.load %dd[%i, %j] : memref<128x128xf32>
      %same = arith.cmpf oeq, %x, %y : f32
      %r3 = arith.addi %r2, %i1 : i32
      %w3 = arith.addi %w2, %i1 : i32
      %r4 = arith.select %same, %r3, %r2 : i32
      %w4 = arith.select %same, %w2, %w3 : i32
      scf.yield %r4, %w4 : i32, i32
    }
    scf.yield %row#0, %row#1 : i32, i32
  }
  vector.print str "right\n"
  vector.print %right#0 : i32
  vector.print str "wrong\n"
  vector.print %right#1 : i32
  gpu.dealloc %dd : memref<128x128xf32>
  return
}
