// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-lower-dynamic-allocs))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-lower-dynamic-allocs{check-sizes}))' | FileCheck %s --check-prefix=CHECKED

// CHECKED:       %[[N:.*]] = memref.dim
// CHECKED-NEXT:  mica_sched.check_reshape same_sizes sizes(%[[N]]) : tensor<?x3xf16> to sizes(%[[N]]) : tensor<?x3xf16>

// Bytes of the device, or the largest number where the product is none, and a view of them; given back when the block ends.
// CHECK-LABEL: func.func @k(
// CHECK:         %[[N:.*]] = memref.dim
// CHECK-NOT:     mica_sched.check_reshape
// CHECK:         %[[MOST:.*]] = arith.constant 9223372036854775807 : index
// CHECK:         %[[ROWS:.*]] = arith.select %{{.*}}, %[[N]], %[[MOST]]
// CHECK:         %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[ROWS]], %c3
// CHECK:         arith.cmpi eq, %[[HIGH]]
// CHECK:         arith.cmpi sge, %[[LOW]]
// CHECK:         %[[MEMORY:.*]] = gpu.alloc (%{{.*}}) : memref<?xi8>
// CHECK:         %[[T:.*]] = memref.view %[[MEMORY]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?x3xf16>
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %[[T]]
// CHECK:         gpu.dealloc %[[MEMORY]]
// CHECK-NEXT:    return
func.func @k(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?x3xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %0 = memref.load %a[%tx] : memref<?xf32>
    %1 = arith.truncf %0 : f32 to f16
    memref.store %1, %t[%tx, %tx] : memref<?x3xf16>
    gpu.terminator
  }
  memref.dealloc %t : memref<?x3xf16>
  return
}

// A kernel without launches is code of the CPU.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @host(
// CHECK:         memref.alloc(
func.func @host(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %t[%c0] : memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return
}
