// After the pass nothing can be run, as a function is missing. What was tried is said.
// RUN: not mica-bisect %s --no-report --input=5 --input=3 --load-pass-plugin=%faulty --pipeline='builtin.module(func.func(cse),func.func(test-call-elsewhere))' | FileCheck %s

// CHECK: verdict: inconclusive: right up to 0000 input; what follows cannot be run: {{.*}}elsewhere
func.func private @elsewhere(i32, i32) -> i32
func.func @main(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  return %0 : i32
}
