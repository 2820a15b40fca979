// Behind a product whose tiles are wider than the matrix, only lanes that are elements divide.
// REQUIRES: compiler
// RUN: rm -rf %t && mica-compile %s -o %t && mica-run %t --input=4x4xi32=1 --input=4x4xi32=2 | FileCheck %s
// RUN: not mica-run %t --input=4x4xi32=1 --input=4x4xi32=0,1,1,1,0,1,1,1,0,1,1,1,0,1,1,1 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: rm -rf %t && mica-compile %s -o %t --mica-debug=assert-level=none && mica-run %t --input=4x4xi32=1 --input=4x4xi32=2 | FileCheck %s
// CHECK: {{\[}}[1 1 1 1]
func.func @f(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %r = linalg.matmul ins(%a, %b : tensor<4x4xi32>, tensor<4x4xi32>) outs(%i : tensor<4x4xi32>) -> tensor<4x4xi32>
  // ZERO: error: check failed: arith.remsi [{{.*}}] at padded-divisions.mlir:[[#@LINE+1]]:8: integer division by zero, or one that overflows, arith.remsi(1, 0), at element [0, 0] of %q
  %q = arith.remsi %a, %r : tensor<4x4xi32>
  return %q : tensor<4x4xi32>
}
