// A pass that is right alone, and wrong after one that preserves an analysis wrongly: both are named.
// RUN: rm -rf %t && not mica-bisect %s -o %t --input=5 --input=3 --load-pass-plugin=%faulty --pipeline='builtin.module(func.func(cse,test-stale,test-trusting))' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t/report.md

// CHECK: By itself test-trusting does nothing wrong. After 0002 test-stale it does, on the same IR
// CHECK: verdict: miscompile: test-trusting (pass 3 of 3) in @main
// REPORT: mlir-opt input.mlir --pass-pipeline='builtin.module(func.func(test-stale,test-trusting))'
func.func @main(%x: f32, %y: f32) -> f32 {
  %0 = arith.mulf %x, %y : f32
  %1 = arith.subf %0, %y : f32
  return %1 : f32
}
