// Pipelines that are right: same, or rounding. A function with inputs, of which nothing prints, and whose lowered form gives its result
// through an argument or as a descriptor.
// RUN: rm -rf %t && mkdir %t
// RUN: mica-bisect %s --no-report --entry=doubled --input=4xf32=1,2,3,4 --pipeline='builtin.module(convert-elementwise-to-linalg,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params,func.func(convert-linalg-to-loops),convert-scf-to-cf,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)' --verbose | FileCheck %s --check-prefix=SAME
// SAME-NOT: cannot be run
// SAME: 0010 reconcile-unrealized-casts: as the program
// SAME: verdict: same{{$}}
// RUN: mica-bisect %s --no-report --entry=doubled --pipeline='builtin.module(convert-elementwise-to-linalg,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-loops),convert-scf-to-cf,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)' 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: note: input 0
// DEFAULT: verdict: same{{$}}
func.func @doubled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: mica-bisect %s --no-report --entry=number --pipeline='builtin.module(convert-math-to-libm,convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=NUMBER
// NUMBER: verdict: {{same|rounding}}
func.func @number() -> f32 {
  %x = arith.constant 0.7 : f32
  %0 = math.tanh %x : f32
  return %0 : f32
}

// An index is printed as a number without a sign, by the evaluator, too.
// RUN: mica-bisect %s --no-report --entry=negative --verbose --pipeline='builtin.module(convert-vector-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=INDEX
// INDEX: 0004 reconcile-unrealized-casts: as the program
// INDEX: 18446744073709551615
// INDEX: verdict: same{{$}}
func.func @negative() {
  %x = arith.constant -1 : index
  vector.print %x : index
  return
}
