// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-convert-copies))' | FileCheck %s

// CHECK-LABEL: func.func @strided(
// CHECK-SAME:    %[[A:[^:]*]]: memref<4x8xf32, strided<[16, 1]>>, %[[B:[^:]*]]: memref<4x8xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[A]] : {{.*}}) outs(%[[B]] : memref<4x8xf32>)
// CHECK-NOT:     memref.copy
func.func @strided(%a: memref<4x8xf32, strided<[16, 1]>>, %b: memref<4x8xf32>) {
  memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  return
}

// A copy onto itself goes away.
// CHECK-LABEL: func.func @self
// CHECK-NOT:     memref.copy
// CHECK-NOT:     linalg.generic
func.func @self(%a: memref<8x8xf32>, %i: index) {
  %0 = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  %1 = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %0, %1 : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  return
}

// The middle of a padded tensor: the offset stays in the type.
// CHECK-LABEL: func.func @into_the_middle(
// CHECK-SAME:    %[[FROM:[^:]*]]: memref<16x8x8x8xf32>
// CHECK-SAME:    %[[TO:[^:]*]]: memref<16x8x8x8xf32, strided<[800, 80, 8, 1], offset: 88>>
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[FROM]] : memref<16x8x8x8xf32>) outs(%[[TO]]
// CHECK-NEXT:    ^bb0(%[[IN:[^ ,:)]+]]: f32, %{{[^ ,:)]+}}: f32):
// CHECK-NEXT:      linalg.yield %[[IN]] : f32
// CHECK-NOT:     memref.copy
func.func @into_the_middle(%a: memref<16x8x8x8xf32>, %b: memref<16x8x8x8xf32, strided<[800, 80, 8, 1], offset: 88>>) {
  memref.copy %a, %b : memref<16x8x8x8xf32> to memref<16x8x8x8xf32, strided<[800, 80, 8, 1], offset: 88>>
  return
}
