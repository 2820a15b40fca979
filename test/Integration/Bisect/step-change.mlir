// A pass without patterns changes three ops in two functions, and one wrongly: that function and that op are named.
// RUN: not mica-bisect %s --input=5 --input=3 --no-report --load-pass-plugin=%faulty --pipeline='builtin.module(test-fault{fault=swap-subi at=2 how=walk})' | FileCheck %s

// CHECK: step inside the pass
// CHECK-NEXT: arith.subi: operand 0 at step-change.mlir:[[@LINE+14]]:8, change {{[0-9]}} of {{[0-9]}} (the pass applies no pattern)
// CHECK: before it
// CHECK-NEXT: %{{.*}} = arith.subi %[[A:.*]], %[[B:.*]] : i32
// CHECK: after it
// CHECK-NEXT: %{{.*}} = arith.subi %[[B]], %[[A]] : i32
// CHECK: verdict: miscompile: test-fault (pass 1 of 1) in @wrong{{$}}
func.func private @right(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  %1 = arith.muli %0, %x : i32
  return %1 : i32
}

func.func private @wrong(%x: i32, %y: i32) -> i32 {
  %0 = arith.muli %x, %y : i32
  %1 = arith.subi %0, %x : i32
  return %1 : i32
}

func.func @main(%x: i32, %y: i32) -> i32 {
  %0 = call @right(%x, %y) : (i32, i32) -> i32
  %1 = call @wrong(%0, %y) : (i32, i32) -> i32
  return %1 : i32
}
