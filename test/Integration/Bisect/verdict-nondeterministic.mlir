// A program that prints what it never wrote, in a form that the reference evaluator does not take: two runs of it differ.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK: Both were lowered without optimization; memory held 85 or 170 where the program had not written to it.
// CHECK: verdict: nondeterministic: two runs of the program as written differ
llvm.func @malloc(i64) -> !llvm.ptr
func.func @main() {
  %size = llvm.mlir.constant(64 : i64) : i64
  %memory = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %number = llvm.load %memory : !llvm.ptr -> i32
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  vector.print %number : i32
  return
}
