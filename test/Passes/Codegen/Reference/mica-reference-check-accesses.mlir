// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-reference-check-accesses))' | FileCheck %s

// CHECK-LABEL: func.func @load(
// CHECK:         %[[OK:.*]] = arith.cmpi ult, %arg1, %{{.*}}
// CHECK:         %[[BAD:.*]] = arith.xori %{{.*}}, %true
// CHECK:         scf.if %[[BAD]] {
// CHECK:           mica_check.failed "memref.load loads outside its buffer"(%arg1, %c1{{.*}}, %{{.*}} : index, index, index) {mica_check.report = "access"}
// CHECK:         }
// CHECK-NEXT:    memref.load
func.func @load(%x: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %x[%i] : memref<?xf32>
  return %0 : f32
}

// What is certainly inside needs no check.
// MUTATION: stays green, nothing is to be inserted.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT:     mica_check.failed
func.func @inside(%x: memref<4xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %0 = memref.load %x[%c3] : memref<4xf32>
  return %0 : f32
}

// A view is checked where it is made, and what is accessed through it.
// CHECK-LABEL: func.func @view(
// CHECK:         mica_check.failed "memref.subview slices outside its buffer"
// CHECK:         memref.subview
// CHECK:         mica_check.failed "memref.store stores outside its buffer"
// CHECK:         memref.store
func.func @view(%x: memref<?xf32>, %v: f32, %i: index, %n: index) {
  %s = memref.subview %x[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %v, %s[%n] : memref<4xf32, strided<[1], offset: ?>>
  return
}

// A loop whose step is 0 or negative runs no iteration.
// CHECK-LABEL: func.func @steps(
// CHECK:         %[[END:.*]] = arith.select %{{.*}}, %arg0, %c0
// CHECK:         mica_check.failed "scf.for: the step of the loop is not positive
// CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %arg1
func.func @steps(%n: index, %s: index, %x: memref<?xf32>, %v: complex<f32>) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %0 = scf.for %i = %c0 to %n step %s iter_args(%a = %v) -> complex<f32> {
    %1 = complex.add %a, %v : complex<f32>
    scf.yield %1 : complex<f32>
  }
  return %0 : complex<f32>
}
