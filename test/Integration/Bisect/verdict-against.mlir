// Two pipelines give different numbers: the second is the one that is wrong, and its pass is named.
// RUN: not mica-bisect %s --no-report --input=5 --input=3 --load-pass-plugin=%faulty --pipeline='builtin.module(canonicalize,cse)' --against='builtin.module(func.func(test-fault{fault=swap-subi}),cse)' | FileCheck %s
// RUN: not mica-bisect %s --no-report --input=5 --input=3 --load-pass-plugin=%faulty --pipeline='builtin.module(func.func(test-fault{fault=swap-subi}),cse)' --against='builtin.module(canonicalize,cse)' | FileCheck %s
// RUN: mica-bisect %s --no-report --input=5 --input=3 --pipeline='builtin.module(cse)' --against='builtin.module(canonicalize,cse)' | FileCheck %s --check-prefix=SAME

// CHECK: verdict: miscompile: test-fault (pass 1 of 2) in @main
// SAME: verdict: same
func.func @main(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  return %0 : i32
}
