// What a host function copies to memory of its own is written there: a loop that prints goes on from it without an alarm.
// REQUIRES: compiler
// RUN: mica-run %s --mica-debug=uninitialized-read-check -o %t --force | FileCheck %s
// CHECK: 2
// CHECK-NEXT: 4
// CHECK-NEXT: 8
// CHECK-NEXT: 16
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %m = memref.alloc() : memref<2xi32>
  memref.store %one, %m[%c0] : memref<2xi32>
  scf.while : () -> () {
    %v = memref.load %m[%c0] : memref<2xi32>
    %c = arith.cmpi slt, %v, %ten : i32
    scf.condition(%c)
  } do {
    %v = memref.load %m[%c0] : memref<2xi32>
    %w = arith.addi %v, %v : i32
    vector.print %w : i32
    memref.store %w, %m[%c0] : memref<2xi32>
    scf.yield
  }
  memref.dealloc %m : memref<2xi32>
  return
}
