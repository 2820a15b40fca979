// RUN: mica-opt %s --mica-codegen-fold-views --split-input-file | FileCheck %s
// RUN: mica-opt %s --mica-codegen-fold-views=keep-accesses --split-input-file | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: func.func @subview
// CHECK: %[[AT:.*]] = affine.apply
// CHECK: memref.load %arg0[%[[AT]]]
func.func @subview(%m: memref<16xf32>, %o: index, %i: index) -> f32 {
  %v = memref.subview %m[%o] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %0 = memref.load %v[%i] : memref<4xf32, strided<[1], offset: ?>>
  return %0 : f32
}

// -----

// The rows of the source are other ones.
// MUTATION: stays green, the vector keeps its view.
// CHECK-LABEL: func.func @expanded
// CHECK: %[[VIEW:.*]] = memref.expand_shape
// CHECK: vector.transfer_read %[[VIEW]]
func.func @expanded(%x: memref<3x12xi32>) -> vector<6x2xi32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : i32
  %v = memref.expand_shape %x [[0], [1, 2]] output_shape [3, 6, 2] : memref<3x12xi32> into memref<3x6x2xi32>
  %r = vector.transfer_read %v[%c0, %c0, %c0], %c9 {in_bounds = [true, true]} : memref<3x6x2xi32>, vector<6x2xi32>
  return %r : vector<6x2xi32>
}

// -----

// MUTATION: stays green, one view of both would have a stride that hides which dimension of size 1 it leaves out.
// CHECK-LABEL: func.func @steps_behind_dropped
// CHECK-COUNT-2: memref.subview
// CHECK: call @use
func.func private @use(memref<1x4xf32, strided<[16, 1], offset: ?>>)
func.func @steps_behind_dropped(%m: memref<2x8x8xf32>, %o: index, %i: index) {
  %v = memref.subview %m[%o, 0, 0] [1, 8, 8] [1, 1, 1] : memref<2x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
  %w = memref.subview %v[%i, 0] [1, 4] [2, 1] : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<1x4xf32, strided<[16, 1], offset: ?>>
  call @use(%w) : (memref<1x4xf32, strided<[16, 1], offset: ?>>) -> ()
  return
}

// -----

// The same in one view.
// CHECK-LABEL: func.func @steps_and_dropped
// CHECK-SAME: %[[M:.*]]: memref<2x8x8xf32>, %[[O:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK: memref.load %[[M]][%[[O]], %[[I]], %[[J]]]
func.func @steps_and_dropped(%m: memref<2x8x8xf32>, %o: index, %i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %w = memref.subview %m[%o, %i, 0] [1, 1, 4] [1, 2, 1] : memref<2x8x8xf32> to memref<1x4xf32, strided<[16, 1], offset: ?>>
  %x = memref.load %w[%c0, %j] : memref<1x4xf32, strided<[16, 1], offset: ?>>
  return %x : f32
}

// -----

// What the program accesses by a view is checked by the sizes of the view, and folded later. Code that the compiler made keeps no views.
// KEPT-LABEL: func.func @tiles
// KEPT: vector.load %arg0[%{{.*}}] : memref<16xf32>
// KEPT: memref.store %{{.*}}, %[[VIEW:.*]][%arg2]
// CHECK-LABEL: func.func @tiles
// CHECK: memref.store %{{.*}}, %arg0[
func.func @tiles(%m: memref<16xf32>, %o: index, %i: index, %x: f32) -> vector<2xf32> {
  %v = memref.subview %m[%o] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %0 = vector.load %v[%i] : memref<4xf32, strided<[1], offset: ?>>, vector<2xf32>
  memref.store %x, %v[%i] : memref<4xf32, strided<[1], offset: ?>> loc(fused<"mica_check.access">["f.mlir":1:1])
  return %0 : vector<2xf32>
}
