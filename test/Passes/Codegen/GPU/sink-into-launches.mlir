// RUN: mica-opt %s --mica-gpu-sink-into-launches | FileCheck %s

// A thread makes the view and its position itself; what the host needs as well stays outside too.
// CHECK-LABEL: func.func @k(
// CHECK:         arith.addi
// CHECK:         gpu.launch
// CHECK:           %[[I:.*]] = arith.addi
// CHECK:           memref.subview %{{.*}}[%[[I]]] [16] [1]
func.func @k(%a: memref<?xf32>, %n: index, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.addi %n, %c1 : index
  %v = memref.subview %a[%i] [16] [1] : memref<?xf32> to memref<16xf32, strided<[1], offset: ?>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %i, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) module(@device) function(@k_0) {
    %0 = memref.load %v[%bx] : memref<16xf32, strided<[1], offset: ?>>
    memref.store %0, %o[%c0] : memref<16xf32>
    gpu.terminator
  }
  return
}
