// A TMA load with a swizzle of 128 bytes: in row r, the 16-byte piece p lies where piece p xor r mod 8 would. The rows printed
// are those that a device gives (each number stands for 16 bytes). Then the same load at an edge of the tensor: what is outside is 0.
// RUN: mica-run --target=sim %s | FileCheck %s
// CHECK: 0 1 2 3 4 5 6 7
// CHECK-NEXT: 17 16 19 18 21 20 23 22
// CHECK-NEXT: 34 35 32 33 38 39 36 37
// CHECK-NEXT: 51 50 49 48 55 54 53 52
// CHECK-NEXT: 68 69 70 71 64 65 66 67
// CHECK-NEXT: 85 84 87 86 81 80 83 82
// CHECK-NEXT: 102 103 100 101 98 99 96 97
// CHECK-NEXT: 119 118 117 116 115 114 113 112
// CHECK-NEXT: 128 129 130 131 132 133 134 135
// CHECK: edge: 1023 0
// CHECK-NEXT: below: 0

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>

memref.global "private" @tile : memref<64x64xf16, 3> {alignment = 1024}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = memref.alloc() {alignment = 64} : memref<64x128xf16>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      %row = arith.muli %i, %c128 : index
      %at = arith.addi %row, %j : index
      %piece = arith.divui %at, %c8 : index
      %n = arith.index_cast %piece : index to i32
      %f = arith.sitofp %n : i32 to f16
      memref.store %f, %x[%i, %j] : memref<64x128xf16>
    }
  }
  %any = memref.cast %x : memref<64x128xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %any box[%c64, %c64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k7 = arith.constant 7 : index
    %k8 = arith.constant 8 : index
    %k9 = arith.constant 9 : index
    %k32 = arith.constant 32 : index
    %k64 = arith.constant 64 : index
    %k120 = arith.constant 120 : index
    %k63 = arith.constant 63 : index
    %bytes = arith.constant 8192 : index
    %even = arith.constant 0 : i1
    %odd = arith.constant 1 : i1
    %tile = memref.get_global @tile : memref<64x64xf16, 3>
    %bar = nvgpu.mbarrier.create -> !barriers
    %isFirst = arith.cmpi eq, %tx, %k0 : index
    nvgpu.mbarrier.init %bar[%k0], %k1, predicate = %isFirst : !barriers
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %bar[%k0], %bytes, predicate = %isFirst : !barriers
    nvgpu.tma.async.load %map[%k0, %k0], %bar[%k0] to %tile, predicate = %isFirst : !map, !barriers -> memref<64x64xf16, 3>
    nvgpu.mbarrier.try_wait.parity %bar[%k0], %even, %bytes : !barriers
    scf.if %isFirst {
      scf.for %i = %k0 to %k9 step %k1 {
        scf.for %p = %k0 to %k64 step %k8 {
          %h = memref.load %tile[%i, %p] : memref<64x64xf16, 3>
          %f = arith.extf %h : f16 to f32
          gpu.printf "%.0f ", %f : f32
        }
        gpu.printf "\n"
      }
    }
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %bar[%k0], %bytes, predicate = %isFirst : !barriers
    nvgpu.tma.async.load %map[%k120, %k63], %bar[%k0] to %tile, predicate = %isFirst : !map, !barriers -> memref<64x64xf16, 3>
    nvgpu.mbarrier.try_wait.parity %bar[%k0], %odd, %bytes : !barriers
    scf.if %isFirst {
      %h0 = memref.load %tile[%k0, %k7] : memref<64x64xf16, 3>
      %h1 = memref.load %tile[%k0, %k8] : memref<64x64xf16, 3>
      %h2 = memref.load %tile[%k1, %k8] : memref<64x64xf16, 3>
      %f0 = arith.extf %h0 : f16 to f32
      %f1 = arith.extf %h1 : f16 to f32
      %f2 = arith.extf %h2 : f16 to f32
      gpu.printf "edge: %.0f %.0f\n", %f0, %f1 : f32, f32
      gpu.printf "below: %.0f\n", %f2 : f32
    }
    gpu.terminator
  }
  return
}
