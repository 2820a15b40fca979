// A fold of upstream makes a splat of a dynamic shape, which the parser refuses. The record is whole.
// RUN: rm -rf %t && mica-opt %s --pass-pipeline='builtin.module(canonicalize,cse)' --record=%t -o /dev/null
// RUN: FileCheck %s < %t/0001_canonicalize.mlir
// RUN: not mica-diff %t --stat | FileCheck %s --check-prefix=STAT
// RUN: not mica-bisect %s --pipeline='builtin.module(cse,canonicalize)' --no-report | FileCheck %s --check-prefix=VERDICT

// CHECK-DAG: arith.constant dense<false> : tensor<?xi1>
// CHECK-DAG: arith.constant dense<0> : tensor<?xi16>
// STAT: 0001 canonicalize
// VERDICT: verdict: miscompile: canonicalize (pass 2 of 2) in @f
func.func @f(%a: tensor<?xi16>) -> (tensor<?xi16>, tensor<?xi1>) {
  %0 = arith.xori %a, %a : tensor<?xi16>
  %1 = arith.cmpi slt, %a, %a : tensor<?xi16>
  return %0, %1 : tensor<?xi16>, tensor<?xi1>
}
