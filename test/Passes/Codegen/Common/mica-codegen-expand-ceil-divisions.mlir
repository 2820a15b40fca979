// RUN: mica-opt %s -mica-codegen-expand-ceil-divisions | FileCheck %s
// RUN: mica-opt %s -mica-reference-expand-ceil-divisions | FileCheck %s

// The quotient that is rounded down, and 1 if there is a rest: the rest is negated, never the dividend.
// CHECK-LABEL: func.func @maps
// CHECK-SAME:    %[[X:.*]]: index, %[[N:.*]]: index
// CHECK:         arith.divsi %{{.*}}, %[[FOUR:.*]] : index
// CHECK:         %[[R:.*]] = arith.remsi %[[X]], %[[FOUR2:.*]] : index
// CHECK:         %[[M:.*]] = arith.select %{{.*}}, %{{.*}}, %[[R]] : index
// CHECK:         arith.muli %[[M]], %c-1{{.*}} : index
// CHECK:         arith.remsi %[[X]], %[[N]] : index
// CHECK-NOT:     affine
// CHECK:         return
func.func @maps(%x: index, %n: index) -> (index, index, index) {
  %0 = affine.apply affine_map<(a) -> (a ceildiv 4)>(%x)
  %1 = affine.apply affine_map<(a)[s] -> (a ceildiv s + 1)>(%x)[%n]
  %2 = affine.min affine_map<(a) -> (a ceildiv 4)>(%x)
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @loops
// CHECK-NOT:     affine.for
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             memref.store
func.func @loops(%m: memref<?xi32>, %n: index, %v: i32) {
  affine.for %i = 0 to affine_map<()[s] -> (s ceildiv 3)>()[%n] {
    affine.if affine_set<(a) : (a ceildiv 4 - 2 >= 0)>(%n) {
      affine.store %v, %m[symbol(%n) ceildiv 5] : memref<?xi32>
    }
  }
  return
}

// What a parallel loop reduces is carried by the loops.
// CHECK-LABEL: func.func @reduced
// CHECK-SAME:    %[[M:.*]]: memref<8x8xf32>
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[ZERO]]) -> (f32) {
// CHECK:           %[[S:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (f32) {
// CHECK:             %[[X:.*]] = memref.load %[[M]]
// CHECK:             %[[Y:.*]] = arith.addf %[[B]], %[[X]] : f32
// CHECK:             scf.yield %[[Y]] : f32
// CHECK:           scf.yield %[[S]] : f32
// CHECK:         return %[[R]] : f32
func.func @reduced(%m: memref<8x8xf32>, %n: index) -> f32 {
  %r = affine.parallel (%i, %j) = (0, 0) to (symbol(%n) ceildiv 2, 8) reduce ("addf") -> f32 {
    %x = affine.load %m[%i, %j] : memref<8x8xf32>
    affine.yield %x : f32
  }
  return %r : f32
}

// No part of a division of a size is below 0.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @sizes
// CHECK:         affine.apply
func.func @sizes(%m: memref<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xi32>
  %0 = affine.apply affine_map<()[s] -> (s ceildiv 8)>()[%n]
  return %0 : index
}
