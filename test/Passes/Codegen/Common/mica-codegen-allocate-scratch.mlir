// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-allocate-scratch))' | FileCheck %s

// Small: on the stack, once, however often the loop runs.
// CHECK-LABEL: func.func @stack
// CHECK-SAME:    mica_sched.scratch_bytes = 0 : i64
// CHECK:         %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc
func.func @stack(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<1024xf32>
    memref.store %v, %t[%c0] : memref<1024xf32>
  }
  return
}

// -----

// The second temporary is needed when the first is no longer, and takes its place; the third overlaps both.
// CHECK-LABEL: func.func @scratch(
// CHECK-SAME:    %[[S:[^:]*]]: memref<160000xi8>, %[[PART:[^:]*]]: index, %[[PARTS:[^:]*]]: index
// CHECK-SAME:    mica_sched.scratch_bytes = 160000 : i64
// CHECK-DAG:     memref.view %[[S]][%[[A:.*]]][] : memref<160000xi8> to memref<20000xf32>
// CHECK-DAG:     memref.view %[[S]][%[[B:.*]]][] : memref<160000xi8> to memref<20000xf32>
// CHECK-DAG:     memref.view %[[S]][%[[C:.*]]][] : memref<160000xi8> to memref<20000xf32>
// CHECK-DAG:     %[[C]] = arith.constant {{0|80000}} : index
func.func @scratch(%part: index, %parts: index) attributes {mica_sched.grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %long = memref.alloc() : memref<20000xf32>
  %first = memref.alloc() : memref<20000xf32>
  memref.store %v, %first[%c0] : memref<20000xf32>
  %second = memref.alloc() : memref<20000xf32>
  memref.store %v, %second[%c0] : memref<20000xf32>
  memref.store %v, %long[%c0] : memref<20000xf32>
  return
}

// -----

// A size with a constant upper bound counts as that bound.
// CHECK-LABEL: func.func @bounded
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// CHECK-NOT:     memref.alloc(
func.func @bounded(%n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %m = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 64)>(%i)[%n]
  %t = memref.alloc(%m) : memref<?xf32>
  memref.store %v, %t[%c0] : memref<?xf32>
  return
}

// -----

// A view of such a size stays without gaps when dimensions of it are collapsed: vectors are stored to it.
// CHECK-LABEL: func.func @collapsed
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %{{.*}} : memref<2x64xf16> to memref<2x?xf16>
// CHECK:         memref.collapse_shape %[[V]] {{.*}} : memref<2x?xf16> into memref<?xf16>
func.func @collapsed(%n: index, %i: index, %v: vector<4xf16>) {
  %c0 = arith.constant 0 : index
  %m = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 64)>(%i)[%n]
  %t = memref.alloc(%m) : memref<2x?xf16>
  %c = memref.collapse_shape %t [[0, 1]] : memref<2x?xf16> into memref<?xf16>
  vector.store %v, %c[%c0] : memref<?xf16>, vector<4xf16>
  return
}

// -----

// Known only at run time: allocated, and freed.
// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[T:.*]] = memref.alloc(
// CHECK:         memref.dealloc %[[T]]
func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %t = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %t[%c0] : memref<?xf32>
  return
}
