// RUN: mica-opt %s --canonicalize --split-input-file | FileCheck %s

// What cannot be otherwise is known without the code around it; of a size that may be 0, nothing is outside.

// CHECK-LABEL: func.func @constant_accesses
func.func @constant_accesses(%a: memref<4x?xf32>, %b: memref<16xf32>, %n: index) -> (i1, i1, i1, i1, i1, i1, i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK: %[[OPEN:.*]] = mica_check.in_bounds %arg0
  // CHECK: %[[EMPTY:.*]] = mica_check.in_bounds %arg1[%{{.*}}] sizes(%arg2)
  // CHECK: return %[[TRUE]], %[[FALSE]], %[[TRUE]], %[[FALSE]], %[[OPEN]], %[[EMPTY]], %[[TRUE]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %last = mica_check.in_bounds %b[%c12] sizes(%c4) : memref<16xf32>
  %over = mica_check.in_bounds %b[%c13] sizes(%c4) : memref<16xf32>
  %whole = mica_check.in_bounds %b[%c0] sizes(%c16) : memref<16xf32>
  %row = mica_check.in_bounds %a[%c4, %n] : memref<4x?xf32>
  %open = mica_check.in_bounds %a[%c3, %n] : memref<4x?xf32>
  %maybe = mica_check.in_bounds %b[%c20] sizes(%n) : memref<16xf32>
  %none = mica_check.in_bounds %b[%c20] sizes(%c0) : memref<16xf32>
  return %last, %over, %whole, %row, %open, %maybe, %none : i1, i1, i1, i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func.func @constant_arithmetic
func.func @constant_arithmetic(%x: i32, %v: vector<2xi32>) -> (i1, i1, i1, i1, i1, i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK: %[[MINUS:.*]] = mica_check.divisible signed
  // CHECK: return %[[TRUE]], %[[FALSE]], %[[MINUS]], %[[TRUE]], %[[FALSE]], %[[TRUE]]
  %c0 = arith.constant 0 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %minus = arith.constant -1 : i32
  %some = arith.constant dense<[1, 3]> : vector<2xi32>
  %0 = mica_check.divisible signed %x, %c31 : i32
  %1 = mica_check.divisible %x, %c0 : i32
  %2 = mica_check.divisible signed %x, %minus : i32
  %3 = mica_check.shiftable %c31 : i32
  %4 = mica_check.shiftable %c32 : i32
  %5 = mica_check.divisible signed %v, %some : vector<2xi32>
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func.func @constant_origins
func.func @constant_origins(%o: i16) -> (i1, i1, i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK: %[[ASKED:.*]] = mica_check.initialized %arg0
  // CHECK: return %[[TRUE]], %[[FALSE]], %[[ASKED]]
  %written = arith.constant dense<0> : vector<4xi16>
  %one = arith.constant dense<[0, 0, 3, 0]> : vector<4xi16>
  %0 = mica_check.initialized %written : vector<4xi16>
  %1 = mica_check.initialized %one : vector<4xi16>
  %2 = mica_check.initialized %o : i16
  return %0, %1, %2 : i1, i1, i1
}
