// RUN: not mica-run %s --entry=tensors --input=9xi32=1,2,-1,3,0,5,6,7,0 --input=9xi32=-1,2,-3,-2,0,1,2,3,-1 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: not mica-run %s --entry=tensors --target=sim --input=9xi32=1,2,-1,3,0,5,6,7,0 --input=9xi32=-1,2,-3,-2,0,1,2,3,-1 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: mica-run %s --entry=tensors --input=9xi32=1,2,-1,3,0,5,6,7,0 --input=9xi32=-1,2,-3,-2,0,1,2,3,1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not mica-run %s --entry=scalars --input=0 --input=-2 2>&1 | FileCheck %s --check-prefix=SCALARS
// RUN: mica-run %s --entry=scalars --input=0 --input=2 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not mica-run %s --entry=vectors 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: mica-run %s --entry=defined --input=9xi32=0,1,2,3,4,5,6,7,0 2>&1 | FileCheck %s --check-prefix=DEFINED
// 0 to a negative power is a division by zero: it is reported as others are, at every level.

// TENSORS: check failed: math.ipowi [{{[0-9a-f]+}}] at powers-of-zero.mlir:[[#@LINE+3]]:8: 0 to a negative power, a division by zero, math.ipowi(0, -1), at element [8] of %p
// CLEAN: [ 1 4 -1 0 1 5 36 343 0]
func.func @tensors(%x: tensor<9xi32>, %y: tensor<9xi32>) -> tensor<9xi32> {
  %p = math.ipowi %x, %y : tensor<9xi32>
  return %p : tensor<9xi32>
}

// SCALARS: check failed: math.ipowi [{{[0-9a-f]+}}] at powers-of-zero.mlir:[[#@LINE+3]]:8: 0 to a negative power, a division by zero (0, -2)
// ZERO: {{^}}0
func.func @scalars(%x: i64, %y: i64) -> i64 {
  %p = math.ipowi %x, %y : i64
  return %p : i64
}

// VECTORS: check failed: math.ipowi [{{[0-9a-f]+}}] at powers-of-zero.mlir:[[#@LINE+4]]:8: 0 to a negative power, a division by zero (0, -1)
func.func @vectors() {
  %x = arith.constant dense<[1, 0, 2, 0]> : vector<4xi32>
  %y = arith.constant dense<[-1, 3, -2, -1]> : vector<4xi32>
  %p = math.ipowi %x, %y : vector<4xi32>
  vector.print %p : vector<4xi32>
  return
}

// mica.pow gives 0 there, and no power here is negative.
// DEFINED: {{\[ *}}0 1 0 0 0 0 0 0 0]
// DEFINED: {{\[ *}}0 1 4 9 16 25 36 49 0]
func.func @defined(%x: tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>) {
  %n = mica.constant dense<-1> : tensor<9xi32>
  %p = mica.pow %x, %n : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
  %two = arith.constant dense<2> : tensor<9xi32>
  %q = math.ipowi %x, %two : tensor<9xi32>
  return %p, %q : tensor<9xi32>, tensor<9xi32>
}
