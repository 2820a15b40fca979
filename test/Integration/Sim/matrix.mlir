// RUN: mica-run --target=sim %s | FileCheck %s
// A product of 16x16 by 16x8 through asynchronous copies, ldmatrix and mma.sync: a[i][k] = i + k, b = identity beside zeros, so that
// row i of the product is i, i + 1, ..., i + 7.

// CHECK: [0,   1,   2,   3,   4,   5,   6,   7],
// CHECK-NEXT: [1,   2,   3,   4,   5,   6,   7,   8],
// CHECK: [15,   16,   17,   18,   19,   20,   21,   22]

#ws = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @product(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>)
        workgroup(%as: memref<16x16xf16, #ws>, %bs: memref<16x8xf16, #ws>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant dense<0.0> : vector<2x2xf32>
      %lane = gpu.lane_id
      // Each thread copies 8 elements of a, the first half of them 8 of b.
      %row = arith.divui %lane, %c2 : index
      %half = arith.remui %lane, %c2 : index
      %col = arith.muli %half, %c8 : index
      %t0 = nvgpu.device_async_copy %a[%row, %col], %as[%row, %col], 8 {bypassL1} : memref<16x16xf16> to memref<16x16xf16, #ws>
      %first = arith.cmpi ult, %lane, %c16 : index
      %source = arith.select %first, %c8, %c0 : index
      %brow = arith.remui %lane, %c16 : index
      scf.if %first {
        %t1 = nvgpu.device_async_copy %b[%brow, %c0], %bs[%brow, %c0], 8, %source : memref<16x8xf16> to memref<16x8xf16, #ws>
      }
      %g = nvgpu.device_async_create_group %t0
      nvgpu.device_async_wait %g {numGroups = 0 : i32}
      gpu.barrier
      %arow = arith.remui %lane, %c16 : index
      %ahalf = arith.divui %lane, %c16 : index
      %acol = arith.muli %ahalf, %c8 : index
      %fa = nvgpu.ldmatrix %as[%arow, %acol] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #ws> -> vector<4x2xf16>
      %fb = nvgpu.ldmatrix %bs[%arow, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xf16, #ws> -> vector<2x2xf16>
      %d = nvgpu.mma.sync(%fa, %fb, %zero) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %group = arith.divui %lane, %c4 : index
      %in = arith.remui %lane, %c4 : index
      %dcol = arith.muli %in, %c2 : index
      %lower = arith.addi %group, %c8 : index
      %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
      %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %d0, %c[%group, %dcol] : memref<16x8xf32>, vector<2xf32>
      vector.store %d1, %c[%lower, %dcol] : memref<16x8xf32>, vector<2xf32>
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>)

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %a = memref.alloc() {alignment = 64 : i64} : memref<16x16xf16>
    %b = memref.alloc() {alignment = 64 : i64} : memref<16x8xf16>
    %c = memref.alloc() {alignment = 64 : i64} : memref<16x8xf32>
    linalg.fill ins(%zero : f16) outs(%b : memref<16x8xf16>)
    scf.for %i = %c0 to %c16 step %c1 {
      scf.for %k = %c0 to %c16 step %c1 {
        %s = arith.addi %i, %k : index
        %n = arith.index_cast %s : index to i32
        %f = arith.sitofp %n : i32 to f16
        memref.store %f, %a[%i, %k] : memref<16x16xf16>
      }
    }
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %one, %b[%i, %i] : memref<16x8xf16>
    }
    // Through memory of the device and back, as a program for one would.
    %t0 = gpu.wait async
    %da, %t1 = gpu.alloc async [%t0] () : memref<16x16xf16>
    %db, %t2 = gpu.alloc async [%t1] () : memref<16x8xf16>
    %dc, %t3 = gpu.alloc async [%t2] () : memref<16x8xf32>
    %t4 = gpu.memcpy async [%t3] %da, %a : memref<16x16xf16>, memref<16x16xf16>
    %t5 = gpu.memcpy async [%t4] %db, %b : memref<16x8xf16>, memref<16x8xf16>
    %t6 = gpu.launch_func async [%t5] @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%da : memref<16x16xf16>, %db : memref<16x8xf16>, %dc : memref<16x8xf32>)
    %t7 = gpu.memcpy async [%t6] %c, %dc : memref<16x8xf32>, memref<16x8xf32>
    gpu.wait [%t7]
    %u = memref.cast %c : memref<16x8xf32> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }
}
