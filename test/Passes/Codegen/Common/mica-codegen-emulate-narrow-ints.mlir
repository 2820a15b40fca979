// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-emulate-narrow-ints))' | FileCheck %s

// CHECK-LABEL: func.func @copy_elements(
// CHECK-SAME:    %[[A:.*]]: memref<16xi4>, %[[B:.*]]: memref<16xi4>, %[[I:.*]]: index)
// CHECK:         %[[FROM:.*]] = builtin.unrealized_conversion_cast %[[A]] : memref<16xi4> to memref<16xi8>
// CHECK:         %[[BYTE:.*]] = memref.load %[[FROM]][%[[I]]] : memref<16xi8>
// CHECK:         %[[X:.*]] = arith.trunci %[[BYTE]] : i8 to i4
// CHECK:         %[[STORED:.*]] = arith.extsi %[[X]] : i4 to i8
// CHECK:         memref.store %[[STORED]], %{{.*}}[%[[I]]] : memref<16xi8>
// CHECK:         %[[BYTES:.*]] = vector.load %{{.*}}[%[[I]]] : memref<16xi8>, vector<8xi8>
// CHECK:         %[[V:.*]] = arith.trunci %[[BYTES]] : vector<8xi8> to vector<8xi4>
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[V]] : vector<8xi4> to vector<8xi8>
// CHECK:         vector.store %[[WIDE]], %{{.*}}[%[[I]]] : memref<16xi8>, vector<8xi8>
func.func @copy_elements(%a: memref<16xi4>, %b: memref<16xi4>, %i: index) {
  %x = memref.load %a[%i] : memref<16xi4>
  memref.store %x, %b[%i] : memref<16xi4>
  %v = vector.load %a[%i] : memref<16xi4>, vector<8xi4>
  vector.store %v, %b[%i] : memref<16xi4>, vector<8xi4>
  return
}

// Other buffers are left alone.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @bytes(
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    return
func.func @bytes(%a: memref<16xi8>, %i: index) -> i8 {
  %x = memref.load %a[%i] : memref<16xi8>
  return %x : i8
}

// Three bits of the exponent count, and its sign.
// CHECK-LABEL: func.func @power(
// CHECK-COUNT-6: arith.muli {{.*}} : vector<8xi4>
// CHECK-NOT:     arith.muli
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpi slt
// CHECK:         %[[R:.*]] = arith.select %[[NEGATIVE]]
// CHECK:         return %[[R]]
func.func @power(%a: vector<8xi4>, %b: vector<8xi4>) -> vector<8xi4> {
  %0 = math.ipowi %a, %b : vector<8xi4>
  return %0 : vector<8xi4>
}

// An index has 64 bits.
// CHECK-LABEL: func.func @power_of_index(
// CHECK-COUNT-126: arith.muli {{.*}} : index
// CHECK-NOT:     arith.muli
func.func @power_of_index(%a: index, %b: index) -> index {
  %0 = math.ipowi %a, %b : index
  return %0 : index
}

// LLVM packs vectors of i1: in memory they are bytes.
// CHECK-LABEL: func.func @vectors_of_i1(
// CHECK:         %[[FROM:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<7xi1> to memref<7xi8>
// CHECK:         %[[PAD:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK:         %[[BYTES:.*]] = vector.transfer_read %[[FROM]][%{{.*}}], %[[PAD]] {in_bounds = [true]} : memref<7xi8>, vector<7xi8>
// CHECK:         %[[V:.*]] = arith.trunci %[[BYTES]] : vector<7xi8> to vector<7xi1>
// CHECK:         %[[WIDE:.*]] = arith.extui %[[V]] : vector<7xi1> to vector<7xi8>
// CHECK:         vector.maskedstore %{{.*}}[%{{.*}}], %{{.*}}, %[[WIDE]] : memref<7xi8>, vector<7xi1>, vector<7xi8>
func.func @vectors_of_i1(%a: memref<7xi1>, %b: memref<7xi1>, %i: index, %mask: vector<7xi1>, %pad: i1) {
  %v = vector.transfer_read %a[%i], %pad {in_bounds = [true]} : memref<7xi1>, vector<7xi1>
  vector.maskedstore %b[%i], %mask, %v : memref<7xi1>, vector<7xi1>, vector<7xi1>
  return
}

// CHECK-LABEL: func.func @sum_of_indices(
// CHECK:         %[[SUM:.*]] = arith.addi %[[X:.*]], %{{.*}} : index
// CHECK:         arith.cmpi ult, %[[SUM]], %[[X]] : index
func.func @sum_of_indices(%x: index, %y: index) -> (index, i1) {
  %0, %1 = arith.addui_extended %x, %y : index, i1
  return %0, %1 : index, i1
}

// CHECK-LABEL: func.func @vectors_of_dimensions(
// CHECK-SAME:    %[[X:.*]]: vector<2x3xi32>, %[[Y:.*]]: vector<2x3xi32>)
// CHECK:         %[[SUM:.*]] = arith.addi %[[X]], %[[Y]]
// CHECK:         arith.cmpi ult, %[[SUM]], %[[X]]
// CHECK:         %[[A:.*]] = arith.extsi %[[X]] : vector<2x3xi32> to vector<2x3xi64>
// CHECK:         %[[PRODUCT:.*]] = arith.muli %[[A]], %{{.*}} : vector<2x3xi64>
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[PRODUCT]], %{{.*}} : vector<2x3xi64>
// CHECK:         arith.trunci %[[PRODUCT]]
// CHECK:         arith.trunci %[[HIGH]]
// CHECK:         arith.extui
func.func @vectors_of_dimensions(%x: vector<2x3xi32>, %y: vector<2x3xi32>)
    -> (vector<2x3xi32>, vector<2x3xi1>, vector<2x3xi32>, vector<2x3xi32>, vector<2x3xi32>, vector<2x3xi32>) {
  %0, %1 = arith.addui_extended %x, %y : vector<2x3xi32>, vector<2x3xi1>
  %2, %3 = arith.mulsi_extended %x, %y : vector<2x3xi32>
  %4, %5 = arith.mului_extended %x, %y : vector<2x3xi32>
  return %0, %1, %2, %3, %4, %5 : vector<2x3xi32>, vector<2x3xi1>, vector<2x3xi32>, vector<2x3xi32>, vector<2x3xi32>, vector<2x3xi32>
}
