// A pass that ends the compiler, and a pipeline that does not parse.
// RUN: rm -rf %t && mkdir %t
// RUN: not mica-bisect %s -o %t/crash --pipeline='builtin.module(cse,func.func(test-abort))' --load-pass-plugin=%planted | FileCheck %s --check-prefix=CRASH
// CRASH: input of the pass, {{[0-9]+}} ops reduced to
// CRASH: verdict: crash: pass test-abort crashed on @main
// RUN: FileCheck %s --check-prefix=REPORT < %t/crash/report.md
// REPORT: # [mlir] pass test-abort crashed on @main
// REPORT: mlir-opt input.mlir --pass-pipeline='builtin.module(func.func(test-abort))'


// RUN: not mica-bisect %s --pipeline='builtin.module(cse,nope)' 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: error: the pipeline cannot be run (exit code 1): {{.*}}'nope' does not refer to a registered pass
// PARSE: hint: --pipeline takes the text of mlir-opt --pass-pipeline
func.func @main() {
  %x = arith.constant 5 : i32
  vector.print %x : i32
  return
}
