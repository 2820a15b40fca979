// RUN: mica-opt %s --mica-reference-expand-scalars | FileCheck %s

// CHECK-LABEL: func.func @classes(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK:         arith.cmpf uno, %[[X]], %[[X]]
// CHECK:         %[[A:.*]] = math.absf %[[X]]
// CHECK:         arith.cmpf ogt, %[[A]], %{{.*}}
func.func @classes(%x: f32) -> (i1, i1) {
  %0 = math.isnan %x : f32
  %1 = math.isinf %x : f32
  return %0, %1 : i1, i1
}

// A NaN gives way to the other operand before the two are compared.
// CHECK-LABEL: func.func @number(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-DAG:     %[[XNAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK-DAG:     %[[YNAN:.*]] = arith.cmpf uno, %[[Y]], %[[Y]]
// CHECK-DAG:     %[[A:.*]] = arith.select %[[XNAN]], %[[Y]], %[[X]]
// CHECK-DAG:     %[[B:.*]] = arith.select %[[YNAN]], %[[X]], %[[Y]]
// CHECK:         arith.maximumf %[[A]], %[[B]]
func.func @number(%x: f32, %y: f32) -> f32 {
  %0 = arith.maxnumf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @powers(
// CHECK:         scf.for
// CHECK:           arith.muli
// CHECK:         math.powf %{{.*}}, %{{.*}} : f64
// CHECK-NOT:     math.{{ipowi|fpowi}}
func.func @powers(%i: i32, %x: f32, %n: i32) -> (i32, f32) {
  %0 = math.ipowi %i, %n : i32
  %1 = math.fpowi %x, %n : f32, i32
  return %0, %1 : i32, f32
}

// LLVM counts bits of integers; an index has 64.
// CHECK-LABEL: func.func @bits_of_indices(
// CHECK:         %[[X:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         "llvm.intr.cttz"(%[[X]])
// CHECK:         arith.index_cast %{{.*}} : i64 to index
// CHECK:         llvm.intr.ctpop(%{{.*}}) : (i64) -> i64
// CHECK:         %[[WIDTH:.*]] = arith.constant 64 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[WIDTH]]
func.func @bits_of_indices(%i: index, %n: index) -> (index, index, index) {
  %0 = math.cttz %i : index
  %1 = math.ctpop %i : index
  %2 = math.ipowi %i, %n : index
  return %0, %1, %2 : index, index, index
}

// A vector of rank 2 counts as one of rank 1.
// CHECK-LABEL: func.func @bits_of_matrices(
// CHECK:         %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<3x1xi32> to vector<3xi32>
// CHECK:         %[[COUNT:.*]] = "llvm.intr.ctlz"(%[[FLAT]])
// CHECK:         vector.shape_cast %[[COUNT]] : vector<3xi32> to vector<3x1xi32>
func.func @bits_of_matrices(%v: vector<3x1xi32>) -> vector<3x1xi32> {
  %0 = math.ctlz %v : vector<3x1xi32>
  return %0 : vector<3x1xi32>
}

// An i4 takes a byte, whose low four bits count; a copy is a loop.
// CHECK-LABEL: func.func @bytes(
// CHECK:         scf.for
// CHECK:           %[[L:.*]] = memref.load %{{.*}} : memref<4xi8>
// CHECK:           %[[N:.*]] = arith.trunci %[[L]] : i8 to i4
// CHECK:           %[[E:.*]] = arith.extsi %[[N]] : i4 to i8
// CHECK:           memref.store %[[E]]
// CHECK-NOT:     memref.copy
func.func @bytes(%x: memref<4xi4>, %y: memref<4xi4>) {
  memref.copy %x, %y : memref<4xi4> to memref<4xi4>
  return
}

// CHECK-LABEL: func.func @round_down(
// CHECK-NOT:     arith.floordivsi
func.func @round_down(%a: i32, %b: i32) -> i32 {
  %0 = arith.floordivsi %a, %b : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @root(
// CHECK:         %[[S:.*]] = math.sqrt
// CHECK:         arith.divf %{{.*}}, %[[S]]
func.func @root(%x: f64) -> f64 {
  %0 = math.rsqrt %x : f64
  return %0 : f64
}

// CHECK-LABEL: func.func @atomic_product(
// CHECK:         %[[OLD:.*]] = memref.load %arg0[%arg2]
// CHECK:         %[[NEW:.*]] = arith.mulf %[[OLD]], %arg1
// CHECK:         memref.store %[[NEW]], %arg0[%arg2]
// CHECK:         memref.atomic_rmw addf
// CHECK:         return %[[OLD]]
func.func @atomic_product(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  %0 = memref.atomic_rmw mulf %v, %m[%i] : (f32, memref<4xf32>) -> f32
  %1 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return %0 : f32
}

// CHECK-LABEL: func.func @vectors_of_dimensions(
// CHECK:         arith.index_cast %{{.*}} : vector<2x3xindex> to vector<2x3xi64>
// CHECK:         arith.cmpi ult
// CHECK:         arith.extui %{{.*}} : vector<2x3xi32> to vector<2x3xi64>
// CHECK:         arith.shrui
func.func @vectors_of_dimensions(%f: vector<2x3xf32>, %n: vector<2x3xindex>, %x: vector<2x3xi32>)
    -> (vector<2x3xf32>, vector<2x3xi32>, vector<2x3xi1>, vector<2x3xi32>, vector<2x3xi32>) {
  %0 = math.fpowi %f, %n : vector<2x3xf32>, vector<2x3xindex>
  %1, %2 = arith.addui_extended %x, %x : vector<2x3xi32>, vector<2x3xi1>
  %3, %4 = arith.mului_extended %x, %x : vector<2x3xi32>
  return %0, %1, %2, %3, %4 : vector<2x3xf32>, vector<2x3xi32>, vector<2x3xi1>, vector<2x3xi32>, vector<2x3xi32>
}
