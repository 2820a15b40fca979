// A report of others: the fold of tosa.cast from i1 to a float makes -1 of true.
// RUN: rm -rf %t && not mica-bisect %s -o %t --pipeline='builtin.module(canonicalize,func.func(tosa-to-linalg))' | FileCheck %s
// RUN: FileCheck %s --check-prefix=INPUT < %t/input.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t/report.md

// CHECK: got -1, expected 1
// CHECK: step inside the pass
// CHECK-NEXT: fold of tosa.cast at tosa-cast-i1.mlir:[[@LINE+15]]:8, fold 1 of 1
// CHECK: verdict: miscompile: canonicalize (pass 1 of 2) in @main
// INPUT: tosa.cast %{{.*}} : (tensor<i1>) -> tensor<f32>
// REPORT: mlir-opt input.mlir --pass-pipeline='builtin.module(canonicalize)'
// What the reduced input computes, not what the program does.
// REPORT: Expected
// REPORT: sizes = []
// REPORT-NEXT: [1]
// REPORT: Actual
// REPORT: [-1]
// REPORT: ## Smallest form
// REPORT: func.func @main() -> tensor<f32>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %a = "tosa.const"() {values = dense<true> : tensor<2xi1>} : () -> tensor<2xi1>
  %r = tosa.cast %a : (tensor<2xi1>) -> tensor<2xf32>
  %u = tensor.cast %r : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
