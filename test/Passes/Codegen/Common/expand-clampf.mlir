// math.clampf, which the conversion to LLVM does not take, is a minimum and a maximum.
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-codegen-expand-powers))' | FileCheck %s
// RUN: mica-compile %s -o %t --force && mica-run %t --input=5xf32=-7,-1,0.5,2,9 | FileCheck %s --check-prefix=NUMBERS
// CHECK-NOT: math.clampf
// CHECK: %[[ABOVE:.*]] = arith.maximumf
// CHECK: arith.minimumf %[[ABOVE]],
// NUMBERS: -1.{{ +}}-1.{{ +}}0.5{{ +}}2.{{ +}}2.
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %low = arith.constant dense<-1.0> : tensor<5xf32>
  %high = arith.constant dense<2.0> : tensor<5xf32>
  %0 = math.clampf %x to [%low, %high] : tensor<5xf32>
  return %0 : tensor<5xf32>
}
