// Unsigned integers become signless ones, and are printed as what they were; those that callers pass and get are marked.
// RUN: mica-opt %s --mica-tensor-legalize-signedness -split-input-file | FileCheck %s

// CHECK: memref.global "private" @g : memref<2xi8> = dense<[-56, 1]>
memref.global "private" @g : memref<2xui8> = dense<[200, 1]>

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: memref<4xi8> {mica.unsigned}, %[[I:.*]]: index, %{{[^{]*}}: tensor<3xi32>, %{{.*}}: vector<2xi16> {mica.unsigned}) -> (i8 {mica.unsigned}, tensor<3xi32>)
// CHECK:         %[[V:.*]] = memref.load %[[X]][%[[I]]] : memref<4xi8>
// CHECK:         %[[WIDE:.*]] = arith.extui %[[V]] : i8 to i64
// CHECK:         vector.print %[[WIDE]] : i64
// CHECK:         arith.extui %{{.*}} : vector<2xi16> to vector<2xi64>
// CHECK:         vector.print %{{.*}} : vector<2xi64>
// CHECK:         return %[[V]], %{{.*}} : i8, tensor<3xi32>
func.func @f(%x: memref<4xui8>, %i: index, %t: tensor<3xsi32>, %v: vector<2xui16>) -> (ui8, tensor<3xsi32>) {
  %0 = memref.load %x[%i] : memref<4xui8>
  vector.print %0 : ui8
  vector.print %v : vector<2xui16>
  return %0, %t : ui8, tensor<3xsi32>
}

// -----

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @prints_ui64(
// CHECK:         vector.print %{{.*}} : ui64
func.func @prints_ui64(%x: ui64) {
  vector.print %x : ui64
  return
}
