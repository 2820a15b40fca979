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

// -----

// Memory spaces mean nothing on a host.
// CHECK-LABEL: func.func @spaces
// CHECK-SAME: (%[[M:.*]]: memref<4xf32>, %{{.*}}: index)
// CHECK: memref.alloc() : memref<3xf32>
// CHECK-NOT: memory_space_cast
// CHECK: memref.load %[[M]][%{{.*}}] : memref<4xf32>
func.func @spaces(%m: memref<4xf32, 1>, %i: index) -> f32 {
  %a = memref.alloc() : memref<3xf32, 3>
  %c = memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32>
  %x = memref.load %c[%i] : memref<4xf32>
  memref.store %x, %a[%i] : memref<3xf32, 3>
  return %x : f32
}

// -----

// Nobody sees the layout of %a; that of %b is one that a function is given.
// CHECK-LABEL: func.func @layouts
// CHECK: memref.alloc() : memref<2x3xf32>
// CHECK: memref.alloc() : memref<2x3xf32, strided<[1, 2]>>
func.func private @use(memref<2x3xf32, strided<[1, 2]>>)
func.func @layouts(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<2x3xf32, affine_map<(i, j) -> (j * 2 + i)>>
  %b = memref.alloc() : memref<2x3xf32, strided<[1, 2]>>
  memref.store %x, %a[%i, %i] : memref<2x3xf32, affine_map<(i, j) -> (j * 2 + i)>>
  call @use(%b) : (memref<2x3xf32, strided<[1, 2]>>) -> ()
  %y = memref.load %a[%i, %i] : memref<2x3xf32, affine_map<(i, j) -> (j * 2 + i)>>
  return %y : f32
}
