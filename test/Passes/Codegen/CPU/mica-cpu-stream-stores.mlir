// RUN: mica-opt %s -split-input-file --mica-cpu-stream-stores="cache-bytes=32768 min-bytes=8192" | FileCheck %s

// Arguments of 48 KiB, the result only written, in whole lines from the first one on.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:   memref.prefetch
// CHECK:       vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK-NEXT:  }
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK-NEXT:  return
func.func @sum(%x: memref<64x64xf32> {mica_sched.access = "read"}, %y: memref<64x64xf32> {mica_sched.access = "read"},
               %o: memref<64x64xf32> {mica_sched.access = "write"}, %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %from to %to step %c1 {
    %rows = memref.subview %o[%i, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    scf.for %j = %c0 to %c64 step %c16 {
      %a = vector.load %x[%i, %j] : memref<64x64xf32>, vector<16xf32>
      %b = vector.load %y[%i, %j] : memref<64x64xf32>, vector<16xf32>
      %s = arith.addf %a, %b : vector<16xf32>
      memref.prefetch %rows[%c0, %j], write, locality<3>, data : memref<1x64xf32, strided<[64, 1], offset: ?>>
      vector.store %s, %rows[%c0, %j] : memref<1x64xf32, strided<[64, 1], offset: ?>>, vector<16xf32>
    }
  }
  return
}

// -----

// Blocks of a row that begin at any element: it is not known that they begin at a line.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @unaligned
// CHECK-NOT:   nontemporal
// CHECK-NOT:   sfence
func.func @unaligned(%x: memref<8192xf32> {mica_sched.access = "read"}, %o: memref<8192xf32> {mica_sched.access = "write"},
                     %from: index, %to: index) {
  %c16 = arith.constant 16 : index
  scf.for %j = %from to %to step %c16 {
    %a = vector.load %x[%j] : memref<8192xf32>, vector<16xf32>
    vector.store %a, %o[%j] : memref<8192xf32>, vector<16xf32>
  }
  return
}

// -----

// The same where each worker begins at a multiple of 512.
// CHECK-LABEL: func.func @aligned
// CHECK:       nontemporal
func.func @aligned(%x: memref<8192xf32> {mica_sched.access = "read"}, %o: memref<8192xf32> {mica_sched.access = "write"},
                   %from: index, %to: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %from to %to step %c1 {
    %first = affine.apply affine_map<(d0) -> (d0 * 512)>(%k)
    %last = affine.apply affine_map<(d0) -> (d0 * 512 + 512)>(%k)
    scf.for %j = %first to %last step %c16 {
      %a = vector.load %x[%j] : memref<8192xf32>, vector<16xf32>
      vector.store %a, %o[%j] : memref<8192xf32>, vector<16xf32>
    }
  }
  return
}

// -----

// Rows of 33 elements: only the first begins at a line.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @odd_rows
// CHECK-NOT:   nontemporal
func.func @odd_rows(%x: memref<512x33xf32> {mica_sched.access = "read"}, %o: memref<512x33xf32> {mica_sched.access = "write"},
                    %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %from to %to step %c1 {
    scf.for %j = %c0 to %c32 step %c16 {
      %a = vector.load %x[%i, %j] : memref<512x33xf32>, vector<16xf32>
      vector.store %a, %o[%i, %j] : memref<512x33xf32>, vector<16xf32>
    }
  }
  return
}

// -----

// The kernel reads its result again.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @read_again
// CHECK-NOT:   nontemporal
func.func @read_again(%x: memref<8192xf32> {mica_sched.access = "read"}, %o: memref<8192xf32> {mica_sched.access = "write"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c8192 = arith.constant 8192 : index
  scf.for %j = %c0 to %c8192 step %c16 {
    %a = vector.load %x[%j] : memref<8192xf32>, vector<16xf32>
    vector.store %a, %o[%j] : memref<8192xf32>, vector<16xf32>
    %b = vector.load %o[%j] : memref<8192xf32>, vector<16xf32>
    %s = arith.addf %b, %b : vector<16xf32>
    vector.store %s, %o[%j] : memref<8192xf32>, vector<16xf32>
  }
  return
}

// -----

// Arguments of 16 KiB stay in a cache; a result of 4 KiB is too small.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @small
// CHECK-NOT:   nontemporal
func.func @small(%x: memref<2048xf32> {mica_sched.access = "read"}, %o: memref<2048xf32> {mica_sched.access = "write"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c2048 = arith.constant 2048 : index
  scf.for %j = %c0 to %c2048 step %c16 {
    %a = vector.load %x[%j] : memref<2048xf32>, vector<16xf32>
    vector.store %a, %o[%j] : memref<2048xf32>, vector<16xf32>
  }
  return
}

// -----

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @small_result
// CHECK-NOT:   nontemporal
func.func @small_result(%x: memref<65536xf32> {mica_sched.access = "read"}, %o: memref<1024xf32> {mica_sched.access = "write"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  scf.for %j = %c0 to %c1024 step %c16 {
    %a = vector.load %x[%j] : memref<65536xf32>, vector<16xf32>
    vector.store %a, %o[%j] : memref<1024xf32>, vector<16xf32>
  }
  return
}
