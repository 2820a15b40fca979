// RUN: mica-opt %s --mica-gpu-outline-launches | FileCheck %s

// The launch takes the whole buffer and makes the view itself; all launches of a kernel lie in one module.
// CHECK-LABEL: func.func @k(
// CHECK-SAME:    %[[S:.*]]: memref<128xi8>, %[[O:.*]]: memref<16xf32>)
// CHECK:         gpu.launch_func @device::@k_0 {{.*}} args(%[[S]] : memref<128xi8>, %[[O]] : memref<16xf32>)
// CHECK:         gpu.launch_func @device::@k_1 {{.*}} args(%[[O]] : memref<16xf32>)
// CHECK:       gpu.module @device
// CHECK:         gpu.func @k_0(%[[A:.*]]: memref<128xi8>, %{{.*}}: memref<16xf32>) kernel
// CHECK:           memref.view %[[A]]
// CHECK:         gpu.func @k_1(
func.func @k(%scratch: memref<128xi8>, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = memref.view %scratch[%c64][] : memref<128xi8> to memref<16xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) module(@device) function(@k_0) {
    %0 = memref.load %v[%c0] : memref<16xf32>
    memref.store %0, %o[%c0] : memref<16xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) module(@device) function(@k_1) {
    %0 = memref.load %o[%c0] : memref<16xf32>
    memref.store %0, %o[%c1] : memref<16xf32>
    gpu.terminator
  }
  return
}
