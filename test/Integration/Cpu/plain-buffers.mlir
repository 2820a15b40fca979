// Programs on buffers by the reference lowering, which keeps their buffers, and by the other one, which makes them tensors.
// REQUIRES: compiler
// RUN: rm -rf %t.plain %t.fast && mica-compile --plain %s -o %t.plain && mica-compile %s -o %t.fast
// RUN: mica-run %t.plain --entry=globals --input=4xf32=1,2,3,4 --repeat=2 --check-reference | FileCheck %s --check-prefix=GLOBALS
// RUN: mica-run %t.fast --entry=globals --input=4xf32=1,2,3,4 --repeat=2 --check-reference | FileCheck %s --check-prefix=GLOBALS
// RUN: mica-run %t.plain --entry=stored --input=4xf32=1,2,3,4 --input=2x3xf32=7 --input=4xf32=5 --check-reference | FileCheck %s --check-prefix=STORED
// RUN: mica-run %t.fast --entry=stored --input=4xf32=1,2,3,4 --input=2x3xf32=7 --input=4xf32=5 --check-reference | FileCheck %s --check-prefix=STORED
// RUN: mica-run %t.plain --entry=values --input=2xf32=0 --input=f32=3 --check-reference | FileCheck %s --check-prefix=VALUES
// RUN: mica-run %t.fast --entry=values --input=2xf32=0 --input=f32=3 --check-reference | FileCheck %s --check-prefix=VALUES
// RUN: mica-run %t.plain --entry=structured --input=3x5xf32=random:1 --input=5x2xf32=random:2 --input=3x2xf32=random:3 --input=index=3 --check-reference
// RUN: mica-run %t.fast --entry=structured --input=3x5xf32=random:1 --input=5x2xf32=random:2 --input=3x2xf32=random:3 --input=index=3 --check-reference

memref.global "private" @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" @empty : memref<4xf32> = uninitialized

func.func private @addTo(%m: memref<4xf32>, %v: f32) -> memref<4xf32> {
  affine.for %i = 0 to 4 {
    %0 = affine.load %m[%i] : memref<4xf32>
    %1 = arith.addf %0, %v : f32
    affine.store %1, %m[%i] : memref<4xf32>
  }
  return %m : memref<4xf32>
}

// A global starts each call anew, and is one buffer in all functions of a call.
// GLOBALS: [3. 5. 7. 9.]
func.func @globals(%x: memref<4xf32>) -> memref<4xf32> {
  %one = arith.constant 1.0 : f32
  %g = memref.get_global @table : memref<4xf32>
  %same = call @addTo(%g, %one) : (memref<4xf32>, f32) -> memref<4xf32>
  %e = memref.get_global @empty : memref<4xf32>
  linalg.add ins(%same, %x : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
  return %e : memref<4xf32>
}

// STORED: result 0: f32
// STORED-NEXT: 5.
// STORED-NEXT: result 1 (argument 0, which the program stores to): 4xf32
// STORED-NEXT: [5. 6. 7. 8.]
// STORED-NEXT: result 2 (argument 1, which the program stores to): 2x3xf32
// STORED-NEXT: {{^}}{{\[\[}}7. 7. 7.]
// STORED-NEXT: {{^}} [2. 2. 2.]]
// STORED-NOT: argument 2
func.func @stored(%x: memref<4xf32>, %y: memref<?x3xf32, strided<[5, 1], offset: 2>>, %z: memref<4xf32>) -> f32 {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = call @addTo(%x, %two) : (memref<4xf32>, f32) -> memref<4xf32>
  %1 = call @addTo(%0, %two) : (memref<4xf32>, f32) -> memref<4xf32>
  %row = memref.subview %y[1, 0] [1, 3] [1, 1] : memref<?x3xf32, strided<[5, 1], offset: 2>> to memref<3xf32, strided<[1], offset: 7>>
  linalg.fill ins(%two : f32) outs(%row : memref<3xf32, strided<[1], offset: 7>>)
  %r = memref.load %z[%c1] : memref<4xf32>
  return %r : f32
}

// A store to a buffer of a tensor leaves the tensor.
// VALUES: [0. 0.]
// VALUES: [3. 0.]
// VALUES: [20.0855{{[0-9]*}}  1. {{ *}}]
func.func @values(%x: tensor<2xf32>, %v: f32) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %b = bufferization.to_buffer %x : tensor<2xf32> to memref<2xf32>
  memref.store %v, %b[%c0] : memref<2xf32>
  %before = bufferization.to_tensor %b : memref<2xf32> to tensor<2xf32>
  linalg.exp ins(%b : memref<2xf32>) outs(%b : memref<2xf32>)
  %after = bufferization.to_tensor %b : memref<2xf32> to tensor<2xf32>
  return %x, %before, %after : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Ops of linalg on buffers, also those that have no loops of their own, in a loop.
func.func @structured(%a: memref<3x5xf32>, %b: memref<5x2xf32>, %c: memref<3x2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<3x2xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x2xf32>) outs(%c : memref<3x2xf32>)
    linalg.softmax dimension(1) ins(%c : memref<3x2xf32>) outs(%s : memref<3x2xf32>)
    memref.copy %s, %c : memref<3x2xf32> to memref<3x2xf32>
  }
  memref.dealloc %s : memref<3x2xf32>
  return
}
