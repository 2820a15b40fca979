// --check-ub takes programs in the LLVM dialect: what upstream's conversions make of a program is judged as the program is.
// RUN: mica-opt %s --convert-scf-to-cf --finalize-memref-to-llvm --convert-func-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm \
// RUN:   --reconcile-unrealized-casts -o %t.mlir
// RUN: mica-compile --evaluate --check-ub %s --entry=sum --input=4xi32=1,2,3,4 2>&1 | count 0
// RUN: mica-compile --evaluate --check-ub %t.mlir --entry=sum --input=4xi32=1,2,3,4 2>&1 | count 0
// RUN: not mica-compile --evaluate --check-ub %s --entry=beside --input=4xi32=1,2,3,4 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not mica-compile --evaluate --check-ub %t.mlir --entry=beside --input=4xi32=1,2,3,4 2>&1 | FileCheck %s --check-prefix=LOWERED
// RUN: not mica-compile --evaluate --check-ub %s --entry=uninitialized 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mica-compile --evaluate --check-ub %t.mlir --entry=uninitialized 2>&1 | FileCheck %s --check-prefix=MALLOC
// RUN: mica-compile --evaluate --check-ub %t.mlir --entry=leak 2>&1 | FileCheck %s --check-prefix=LEAK

func.func @sum(%m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  %copy = memref.alloc(%n) : memref<?xi32>
  memref.copy %m, %copy : memref<?xi32> to memref<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> i32 {
    %x = memref.load %copy[%i] : memref<?xi32>
    %t = arith.addi %s, %x overflow<nsw> : i32
    scf.yield %t : i32
  }
  memref.dealloc %copy : memref<?xi32>
  return %r : i32
}

// BESIDE: error: undefined behavior: index 5 is out of range for dimension 0 of extent 4
// LOWERED: error: undefined behavior: offset 20 of an object of 16 bytes is not inbounds
// LOWERED: note: 'llvm.load' depends on it: an address is poison
func.func @beside(%m: memref<?xi32>) -> i32 {
  %i = arith.constant 5 : index
  %r = memref.load %m[%i] : memref<?xi32>
  return %r : i32
}

// EMPTY: error: undefined behavior: uninitialized elements of 2xi32
// EMPTY: note: 'func.call' depends on it: a printed number
// MALLOC: error: undefined behavior: uninitialized bytes of memory of the heap
// MALLOC: note: 'llvm.call' depends on it: a printed number is undefined
func.func private @printI64(i64)
func.func @uninitialized() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi32>
  %r = memref.load %m[%c0] : memref<2xi32>
  %w = arith.extsi %r : i32 to i64
  func.call @printI64(%w) : (i64) -> ()
  memref.dealloc %m : memref<2xi32>
  return
}

// LEAK: warning: memory leak: 8 bytes are never freed
func.func @leak() {
  %m = memref.alloc() : memref<2xi32>
  return
}
