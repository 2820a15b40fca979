// A producer warp loads eight tiles into two stages by TMA, 128 consumers add them up: full and empty mbarriers of each stage, whose
// phases go on with each round. No check reports anything, in any order of threads.
// RUN: mica-run --target=sim %s | FileCheck %s
// RUN: mica-run --target=sim --mica-debug=sim-schedule=reversed %s | FileCheck %s
// RUN: mica-run --target=sim --mica-debug=sim-schedule=random:11 %s | FileCheck %s
// CHECK: [28,  36,  44,  52]

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

memref.global "private" @stages : memref<2x8x16xf32, 3> {alignment = 128}
func.func private @printMemrefF32(memref<*xf32>)

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c160 = arith.constant 160 : index
  %x = memref.alloc() {alignment = 64} : memref<64x16xf32>
  %sums = memref.alloc() : memref<128xf32>
  // Tile k, 8 rows of 16, has k + column in each row.
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %k = arith.divui %i, %c8 : index
      %n = arith.addi %k, %j : index
      %ni = arith.index_cast %n : index to i32
      %f = arith.sitofp %ni : i32 to f32
      memref.store %f, %x[%i, %j] : memref<64x16xf32>
    }
  }
  %any = memref.cast %x : memref<64x16xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c16] : memref<*xf32> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c160, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k4 = arith.constant 4 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %k128 = arith.constant 128 : index
    %bytes = arith.constant 512 : index
    %ticks = arith.constant 10000000 : index
    %yes = arith.constant 1 : i1
    %zero = arith.constant 0.0 : f32
    %stages = memref.get_global @stages : memref<2x8x16xf32, 3>
    %full = nvgpu.mbarrier.create -> !barriers
    %empty = nvgpu.mbarrier.create -> !barriers
    %isFirst = arith.cmpi eq, %tx, %k0 : index
    scf.for %s = %k0 to %k2 step %k1 {
      nvgpu.mbarrier.init %full[%s], %k1, predicate = %isFirst : !barriers
      nvgpu.mbarrier.init %empty[%s], %k128, predicate = %isFirst : !barriers
    }
    gpu.barrier
    %isConsumer = arith.cmpi ult, %tx, %k128 : index
    scf.if %isConsumer {
      %row = arith.divui %tx, %k16 : index
      %column = arith.remui %tx, %k16 : index
      %sum = scf.for %k = %k0 to %k8 step %k1 iter_args(%so = %zero) -> (f32) {
        %s = arith.remui %k, %k2 : index
        %round = arith.divui %k, %k2 : index
        %odd = arith.remui %round, %k2 : index
        %parity = arith.index_cast %odd : index to i1
        nvgpu.mbarrier.try_wait.parity %full[%s], %parity, %ticks : !barriers
        %v = memref.load %stages[%s, %row, %column] : memref<2x8x16xf32, 3>
        %token = nvgpu.mbarrier.arrive %empty[%s] : !barriers -> !nvgpu.mbarrier.token
        %next = arith.addf %so, %v : f32
        scf.yield %next : f32
      }
      memref.store %sum, %sums[%tx] : memref<128xf32>
    } else {
      %isProducer = arith.cmpi eq, %tx, %k128 : index
      scf.if %isProducer {
        scf.for %k = %k0 to %k8 step %k1 {
          %s = arith.remui %k, %k2 : index
          %round = arith.divui %k, %k2 : index
          %odd = arith.remui %round, %k2 : index
          %isOdd = arith.index_cast %odd : index to i1
          // The first round finds the stages empty: it waits for the phase before the first.
          %parity = arith.xori %isOdd, %yes : i1
          nvgpu.mbarrier.try_wait.parity %empty[%s], %parity, %ticks : !barriers
          %tile = memref.subview %stages[%s, 0, 0] [1, 8, 16] [1, 1, 1] : memref<2x8x16xf32, 3> to memref<8x16xf32, strided<[16, 1], offset: ?>, 3>
          %at = arith.muli %k, %k8 : index
          nvgpu.mbarrier.arrive.expect_tx %full[%s], %bytes : !barriers
          nvgpu.tma.async.load %map[%k0, %at], %full[%s] to %tile : !map, !barriers -> memref<8x16xf32, strided<[16, 1], offset: ?>, 3>
        }
      }
    }
    gpu.terminator
  }
  %some = memref.subview %sums[16] [4] [1] : memref<128xf32> to memref<4xf32, strided<[1], offset: 16>>
  %print = memref.cast %some : memref<4xf32, strided<[1], offset: 16>> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}
