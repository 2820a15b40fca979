// A report of others: affine-loop-invariant-code-motion moves a store of a constant out of a loop without iterations.
// REQUIRES: mlir-runner
// RUN: rm -rf %t && mkdir %t
// RUN: not mica-bisect %s --pipeline='builtin.module(func.func(canonicalize,affine-loop-invariant-code-motion),lower-affine,convert-scf-to-cf,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)' -o %t/verdict | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t/verdict/report.md
// RUN: FileCheck %s --check-prefix=INPUT < %t/verdict/input.mlir
// RUN: FileCheck %s --check-prefix=LIT < %t/verdict/test.mlir
// RUN: FileCheck %s --check-prefix=JSON < %t/verdict/verdict.json
// RUN: not grep -r %t %t/verdict

// CHECK: difference
// CHECK-NEXT: got 1, expected 0
// CHECK: expected
// CHECK: [0]
// CHECK: actual
// CHECK: [1]
// CHECK: input of the pass, 14 ops reduced to 12
// CHECK: with inputs and results, 6 ops
// CHECK: ruled out: undefined behavior
// CHECK: ruled out: nondeterminism
// CHECK: verdict: miscompile: affine-loop-invariant-code-motion (pass 2 of 9) in @main

// REPORT: # [mlir] affine-loop-invariant-code-motion changes what the program computes
// REPORT: Versions: MLIR 22.1
// REPORT: ## Input of the pass
// REPORT: ## How to reproduce
// REPORT: mlir-opt input.mlir --pass-pipeline='builtin.module(func.func(affine-loop-invariant-code-motion),lower-affine,
// REPORT-NEXT: mlir-runner -e main
// REPORT: prints
// REPORT: [1]
// REPORT: Without `affine-loop-invariant-code-motion`
// REPORT: [0]
// REPORT: ## What the pass does
// REPORT: ## Ruled out

// The store in front of the loop stays: without it the program would read uninitialized memory.
// INPUT: affine.store
// INPUT: affine.for %{{.*}} = 0 to 0 {
// INPUT-NEXT: affine.store

// LIT: {{R}}UN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-invariant-code-motion),{{.*}}' | mlir-runner -e main
// LIT: {{C}}HECK: [0]

// JSON-DAG: "format": "mica-verdict"
// JSON-DAG: "verdict": "miscompile"
// JSON-DAG: "pass": "affine-loop-invariant-code-motion"
// JSON-DAG: "program": "zero-trip-store.mlir"
func.func private @printMemrefI32(memref<*xi32>)
func.func @main() {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %m = memref.alloc() : memref<2xi32>
  affine.for %i = 0 to 2 {
    affine.store %zero, %m[%i] : memref<2xi32>
  }
  affine.for %j = 3 to 3 {
    affine.store %seven, %m[1] : memref<2xi32>
  }
  %u = memref.cast %m : memref<2xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
