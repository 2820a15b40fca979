// RUN: rm -rf %t && mica-run --target=sim %s -o %t --entry=main --check-reference 2>&1 | FileCheck %s
// RUN: mica-run %t --entry=stats --check-reference 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: mica-run %t --entry=stored --check-reference 2>&1 | FileCheck %s --check-prefix=STORED
// RUN: mica-run --target=sim %S/warps.mlir --check-reference 2>&1 | FileCheck %s --check-prefix=PRINTED
// RUN: mica-run --target=sim %S/matrix.mlir --check-reference 2>&1 | FileCheck %s --check-prefix=PRINTED
// The reference evaluates GPU kernels thread by thread, each until it waits for others.

// CHECK: result 0 (64x32xf32): same
// STATS: result 0 (4xf32): same
// STATS: result 1 (4x64xi32): same
// What a kernel stores to an argument is a result; what it only reads is none.
// STORED: result 0 (64x32xf32): same
// STORED-NOT: result 1
// PRINTED: reference: printed text: as the reference prints it

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // A transposition by tiles in memory of the block, with a scale.
    gpu.func @transpose(%x: memref<32x64xf32>, %y: memref<64x32xf32>, %s: f32) workgroup(%tile: memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c8 = arith.constant 8 : index
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %row = arith.muli %by, %c8 : index
      %column = arith.muli %bx, %c8 : index
      %i = arith.addi %row, %ty : index
      %j = arith.addi %column, %tx : index
      %v = memref.load %x[%i, %j] : memref<32x64xf32>
      %w = arith.mulf %v, %s : f32
      memref.store %w, %tile[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %i2 = arith.addi %column, %ty : index
      %j2 = arith.addi %row, %tx : index
      %u = memref.load %tile[%tx, %ty] : memref<8x8xf32, #gpu.address_space<workgroup>>
      memref.store %u, %y[%i2, %j2] : memref<64x32xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<32x64xf32>, %s: f32) -> memref<64x32xf32> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %y = memref.alloc() : memref<64x32xf32>
    gpu.launch_func @kernels::@transpose blocks in (%c8, %c4, %c1) threads in (%c8, %c8, %c1)
        args(%x : memref<32x64xf32>, %y : memref<64x32xf32>, %s : f32)
    return %y : memref<64x32xf32>
  }
  // Sums of rows by warps and blocks of 64 threads; what lanes exchange; a launch with its body in place.
  func.func @stats(%x: memref<4x64xf32>) -> (memref<4xf32>, memref<4x64xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %sums = memref.alloc() : memref<4xf32>
    %lanes = memref.alloc() : memref<4x64xi32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %v = memref.load %x[%bx, %tx] : memref<4x64xf32>
      %sum = gpu.all_reduce add %v {} : (f32) -> (f32)
      %lane = gpu.lane_id
      %n = arith.index_cast %lane : index to i32
      %most = gpu.subgroup_reduce maxsi %n : (i32) -> i32
      %other, %valid = gpu.shuffle xor %n, %one, %width : i32
      %code = arith.addi %most, %other : i32
      memref.store %sum, %sums[%bx] : memref<4xf32>
      memref.store %code, %lanes[%bx, %tx] : memref<4x64xi32>
      gpu.terminator
    }
    return %sums, %lanes : memref<4xf32>, memref<4x64xi32>
  }
  func.func @stored(%x: memref<32x64xf32>, %y: memref<64x32xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@transpose blocks in (%c8, %c4, %c1) threads in (%c8, %c8, %c1)
        args(%x : memref<32x64xf32>, %y : memref<64x32xf32>, %s : f32)
    return
  }
}
