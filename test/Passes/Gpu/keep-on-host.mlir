// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-keep-on-host,mica-gpu-form-launches{host-memory=false}))' | FileCheck %s

// CHECK-LABEL: func.func @double(
// CHECK-SAME:    mica_gpu.host_reason = "math.exp on f64 has no code for the device"
// CHECK-NOT:     gpu.launch
func.func @double(%a: memref<7xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<7xf64>
  %1 = math.exp %0 : f64
  memref.store %1, %a[%c0] : memref<7xf64>
  return
}

// CHECK-LABEL: func.func @single(
// CHECK:         gpu.launch
func.func @single(%a: memref<7xf16>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<7xf16>
  %1 = math.exp %0 : f16
  memref.store %1, %a[%c0] : memref<7xf16>
  return
}

// The device has no memory of sizes that are known at run time only, but for those with a bound.
// CHECK-LABEL: func.func @temporary(
// CHECK-SAME:    mica_gpu.host_reason = "a temporary has a size that is known at run time only"
func.func @temporary(%a: memref<7xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc(%n) : memref<?xf32>
  %0 = memref.load %t[%c0] : memref<?xf32>
  memref.store %0, %a[%c0] : memref<7xf32>
  return
}
