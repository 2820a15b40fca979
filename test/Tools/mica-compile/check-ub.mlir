// --evaluate --check-ub looks for undefined behavior: where it begins, and what makes it visible.
// RUN: not mica-compile --evaluate --check-ub %s --entry=shift 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: not mica-compile --evaluate --check-ub %s --entry=beside 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: mica-compile --evaluate --check-ub %s --entry=defined 2>&1 | count 0
// RUN: not mica-compile --evaluate --check-ub %s --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mica-compile %s --check-ub 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: --entry, --input, --output, --argument-output, --bounds, --why, --who-uses and --check-ub belong to --evaluate

// SHIFT: check-ub.mlir:[[# @LINE + 7]]:8: error: undefined behavior: a shift by 40 of a number of 32 bits
// SHIFT: check-ub.mlir:[[# @LINE + 9]]:3: note: 'vector.print' depends on it: a printed number
// SHIFT: error: {{.*}}: 'shift' has undefined behavior
// SHIFT: hint: mend the program first
func.func @shift() {
  %x = arith.constant 5 : i32
  %n = arith.constant 40 : i32
  %0 = arith.shli %x, %n : i32
  %1 = arith.addi %0, %x : i32
  vector.print %x : i32
  vector.print %1 : i32
  return
}

// BESIDE: check-ub.mlir:[[# @LINE + 5]]:3: error: undefined behavior: position (0, 1) is out of range for 3x1xf32
func.func @beside() {
  %m = memref.alloc() : memref<3x1xf32>
  %i = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<5xf32>
  vector.store %v, %m[%i, %i] : memref<3x1xf32>, vector<5xf32>
  return
}

// What an op may not do because of another one is reported at that op.
// RUN: not mica-compile --evaluate --check-ub %s --entry=freed 2>&1 | FileCheck %s --check-prefix=FREED
// FREED: check-ub.mlir:[[# @LINE + 6]]:8: error: undefined behavior: memory of memref.alloc is used after it is freed
// FREED: check-ub.mlir:[[# @LINE + 4]]:3: note: the memory is freed here
func.func @freed() -> f32 {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<3xf32>
  memref.dealloc %m : memref<3xf32>
  %r = memref.load %m[%i] : memref<3xf32>
  return %r : f32
}

func.func @defined() {
  %x = arith.constant 5 : i32
  %n = arith.constant 31 : i32
  %0 = arith.shli %x, %n : i32
  vector.print %0 : i32
  return
}

// UNKNOWN: error: the reference evaluator does not take 'llvm.inline_asm' here: not taken: llvm.inline_asm
// UNKNOWN: hint: undefined behavior is looked for where the reference evaluator knows the program
func.func @unknown() -> i32 {
  %x = arith.constant 1 : i32
  %0 = llvm.inline_asm "mov $1, $0", "=r,r" %x : (i32) -> i32
  return %0 : i32
}

// Structured ops on buffers, into one that nothing was written to.
// RUN: not mica-compile --evaluate --check-ub %s --entry=sums 2>&1 | FileCheck %s --check-prefix=SUMS
// SUMS: check-ub.mlir:[[# @LINE + 5]]:10: error: undefined behavior: uninitialized elements of 6xf32
func.func @sums() {
  %f = arith.constant 1.0 : f32
  %in = memref.alloc() : memref<8xf32>
  %k = memref.alloc() : memref<2xf32>
  %out = memref.alloc() : memref<6xf32>
  linalg.fill ins(%f : f32) outs(%in : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%k : memref<2xf32>)
  linalg.conv_1d ins(%in, %k : memref<8xf32>, memref<2xf32>) outs(%out : memref<6xf32>)
  %i = arith.constant 0 : index
  %r = memref.load %out[%i] : memref<6xf32>
  vector.print %r : f32
  return
}
