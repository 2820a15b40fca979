// --check-ub judges a program before it runs: both places, exit code 3, and nothing is run; else a line and the run.
// REQUIRES: compiler
// RUN: rm -rf %t && mica-compile %s -o %t
// RUN: sh -c 'mica-run %t --check-ub --entry=shift --input=i32=40; test $? = 3' 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: mica-run %t --check-ub --entry=shift --input=i32=31 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: mica-run %t --check-ub --entry=leak 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: not mica-run %t --check-ub --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mica-run %t --check-ub --sandbox --entry=leak 2>&1 | FileCheck %s --check-prefix=SANDBOX

// SHIFT: check-ub.mlir:[[# @LINE + 8]]:8: error: undefined behavior: a shift by 40 of a number of 32 bits
// SHIFT: note: 'func.func' depends on it: result 0
// SHIFT: undefined behavior: found; nothing was run
// SHIFT-NOT: result 0
// CLEAN: undefined behavior: none found
// CLEAN: result 0: i32
func.func @shift(%n: i32) -> i32 {
  %x = arith.constant 1 : i32
  %0 = arith.shli %x, %n : i32
  return %0 : i32
}

// LEAK: check-ub.mlir:[[# @LINE + 4]]:8: warning: memory leak: 8 bytes are never freed
// LEAK: undefined behavior: none found
func.func @leak() -> f32 {
  %v = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<2xf32>)
  return %v : f32
}

// UNKNOWN: error: the reference evaluator does not take 'llvm.inline_asm' here: not taken: llvm.inline_asm
// UNKNOWN: undefined behavior: not checked, nothing was run
func.func @unknown() -> i32 {
  %x = arith.constant 1 : i32
  %0 = llvm.inline_asm "mov $1, $0", "=r,r" %x : (i32) -> i32
  return %0 : i32
}

// SANDBOX: error: --sandbox cannot be combined with --check-ub
