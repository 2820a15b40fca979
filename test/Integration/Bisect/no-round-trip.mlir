// An op that does not parse as it prints: the states after passes are run all the same, and the reduced input, which keeps it, is in a form that
// parses.
// RUN: rm -rf %t && mkdir %t
// RUN: not mica-bisect %s -o %t/verdict --load-pass-plugin=%faulty --pipeline='builtin.module(func.func(test-fault{fault=swap-inputs near=linalg.fill how=walk},cse))' | FileCheck %s
// RUN: mica-opt %t/verdict/input.mlir | FileCheck %s --check-prefix=INPUT
// RUN: mica-bisect %s --no-report --pipeline='builtin.module(func.func(test-fault{fault=swap-inputs at=100 how=pattern},cse))' --load-pass-plugin=%faulty | FileCheck %s --check-prefix=SAME

// CHECK: linalg.sub: operand 0 at no-round-trip.mlir:[[@LINE+11]]:8
// CHECK: input of the pass, 7 ops reduced to {{[345]$}}
// CHECK: linalg.sub
// CHECK: verdict: miscompile: test-fault (pass 1 of 2) in @f{{$}}
// INPUT: linalg.sub
// SAME: verdict: same{{$}}
func.func @f(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %c = arith.constant 2.0 : f32
  "affine.delinearize_index"(%i) <{static_basis = array<i64>}> : (index) -> ()
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.sub ins(%x, %f : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
