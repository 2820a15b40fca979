// A pattern is applied to seven subtractions, and is wrong once: the application is named, not the pass alone. A function
// that the pass changes rightly is not blamed.
// RUN: rm -rf %t && not mica-bisect %s --input=5 --input=3 -o %t --load-pass-plugin=%faulty --pipeline='builtin.module(func.func(cse),func.func(test-fault{fault=swap-subi at=4}),canonicalize)' | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t/verdict.json
// RUN: FileCheck %s --check-prefix=REPORT < %t/report.md

// CHECK: step inside the pass
// CHECK-NEXT: pattern FaultPattern on 'arith.subi' at step-pattern.mlir:[[@LINE+20]]:8, application 4 of 7
// CHECK: before it
// CHECK: %4 = arith.subi %[[A:.*]], %[[B:.*]] : i32
// CHECK: after it
// CHECK: %4 = arith.subi %[[B]], %[[A]] : i32
// CHECK: verdict: miscompile: test-fault (pass 2 of 3) in @main
// JSON: "step": {
// JSON: "count": 7
// JSON: "kind": "pattern"
// JSON: "location": "step-pattern.mlir:{{[0-9]+}}:8"
// JSON: "number": 4
// JSON: "op": "arith.subi"
// REPORT: ## Step inside the pass
// REPORT: pattern FaultPattern on 'arith.subi' at step-pattern.mlir:{{[0-9]+}}:8, application 4 of 7

func.func @main(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %0 = arith.subi %x, %y : i32
  %1 = arith.muli %0, %x : i32
  %2 = arith.subi %1, %y : i32
  %3 = arith.subi %2, %x : i32
  %4 = arith.subi %y, %3 : i32
  %5 = arith.subi %4, %x : i32
  %6 = arith.subi %0, %5 : i32
  %7 = arith.subi %6, %2 : i32
  return %7, %5, %2, %1 : i32, i32, i32, i32
}
