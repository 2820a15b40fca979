// A scalar result that the host function computes is initialized: uninitialized-read-check has nothing to say.
// REQUIRES: compiler
// RUN: mica-run %s --mica-debug=uninitialized-read-check -o %t --force --input=4xf32=0 --input=i32=3 --input=bf16=1.5 --input=i1=1 | FileCheck %s

// CHECK:      result 1: i32
// CHECK-NEXT: 6
// CHECK:      result 2: bf16
// CHECK-NEXT: 3.
// CHECK:      result 3: i1
// CHECK-NEXT: False
func.func @main(%a: tensor<4xf32>, %n: i32, %x: bf16, %b: i1) -> (tensor<4xf32>, i32, bf16, i1) {
  %0 = mica.exp %a : tensor<4xf32>
  %1 = arith.addi %n, %n : i32
  %2 = arith.addf %x, %x : bf16
  %true = arith.constant true
  %3 = arith.xori %b, %true : i1
  return %0, %1, %2, %3 : tensor<4xf32>, i32, bf16, i1
}
