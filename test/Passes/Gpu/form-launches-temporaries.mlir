// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-form-launches{host-memory=false}))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-form-launches))' | FileCheck %s --check-prefix=SIM

// A device has no memory to allocate from: what a loop of one thread allocates is a temporary of the kernel, once.
// CHECK-LABEL: func.func @sorted(
// CHECK:         %[[T:.*]] = memref.alloc() : memref<1xf32>
// CHECK:         gpu.launch
// CHECK:           scf.for
// CHECK-NOT:         memref.alloc
// CHECK:             memref.store %{{.*}}, %[[T]]
// SIM-LABEL:  func.func @sorted(
// SIM:          gpu.launch
// SIM:            scf.for
// SIM:              memref.alloc
func.func @sorted(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %t = memref.alloc() : memref<1xf32>
    %0 = memref.load %a[%i] : memref<8xf32>
    memref.store %0, %t[%c0] : memref<1xf32>
    %j = arith.addi %i, %c1 : index
    %1 = memref.load %t[%c0] : memref<1xf32>
    memref.store %1, %a[%j] : memref<8xf32>
    memref.dealloc %t : memref<1xf32>
  }
  return
}

// Not where two of them are there at once.
// CHECK-LABEL: func.func @passed_on(
// CHECK-SAME:    mica_gpu.host_reason = "a loop makes temporaries that outlive an iteration, or of sizes known at run time only"
func.func @passed_on(%a: memref<8xf32>, %first: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %last = scf.for %i = %c0 to %c7 step %c1 iter_args(%old = %first) -> memref<1xf32> {
    %t = memref.alloc() : memref<1xf32>
    %0 = memref.load %old[%c0] : memref<1xf32>
    memref.store %0, %t[%c0] : memref<1xf32>
    memref.store %0, %a[%i] : memref<8xf32>
    scf.yield %t : memref<1xf32>
  }
  return
}
