// A report of others: one-shot-bufferize gives linalg.map a new buffer for an output that its region reads.
// RUN: not mica-bisect %s --no-report --no-reduce --pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries=true},func.func(convert-linalg-to-loops))' | FileCheck %s

// CHECK: verdict: miscompile: one-shot-bufferize (pass 1 of 2) in @main
func.func @main() {
  %c0 = arith.constant 0 : index
  %start = arith.constant -21 : i16
  %y = arith.constant 936 : i16
  %input = arith.constant dense<0> : tensor<2xi16>
  %init = arith.constant dense<13> : tensor<2xi16>
  %b = memref.alloc() : memref<1xi16>
  memref.store %start, %b[%c0] : memref<1xi16>
  %m = linalg.map ins(%input : tensor<2xi16>) outs(%init : tensor<2xi16>) (%in: i16, %out: i16) {
    memref.store %out, %b[%c0] : memref<1xi16>
    linalg.yield %y : i16
  }
  %r = memref.load %b[%c0] : memref<1xi16>
  vector.print %r : i16
  return
}
