// The ops that lose the precision of a result: a sum that is too large for bf16, of which a difference takes the rest.
// RUN: mica-bisect %s --precision | FileCheck %s
// RUN: mica-bisect %s --precision=1e-3 | FileCheck %s --check-prefix=THREE
// RUN: mica-bisect %s --precision=0.5 | FileCheck %s --check-prefix=NONE
// RUN: not mica-bisect %s --precision=1e-9 | FileCheck %s --check-prefix=BEYOND
// RUN: not mica-bisect %s --precision --pipeline=cse 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not mica-bisect %S/crash.mlir --precision 2>&1 | FileCheck %s --check-prefix=PRINTS

// CHECK: 0.00e+00 {{.*}}e-03 {{.*}}e-03 {{.*}}precision.mlir:[[#@LINE+22]]:8: linalg.matmul
// CHECK: arith.addf
// CHECK-NEXT: {{[1-3].*}}e-01 0.00e+00 {{.*}} arith.subf
// CHECK: bring it to {{.*}}e-03:
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: precision: 2 of [[#]] ops take the error from {{[1-3].*}}e-01 to {{.*}}e-03

// THREE: bring it to {{.*}}e-0[[#]]:
// THREE-NEXT: arith.subf
// THREE-NEXT: arith.addf
// THREE-NEXT: linalg.matmul
// THREE-NEXT: precision: 3 of

// NONE: precision: the results are within the limit as they are
// BEYOND: precision: no ops mend the results: not even wider types for all ops bring it there
// BOTH: error: --precision takes a program, and no pipeline
// PRINTS: gives no floats as results
func.func @main(%x: tensor<8x64xbf16>, %w: tensor<64x64xbf16>, %v: tensor<64x16xbf16>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x64xbf16>
  %i = linalg.fill ins(%z : bf16) outs(%e : tensor<8x64xbf16>) -> tensor<8x64xbf16>
  %h = linalg.matmul ins(%x, %w : tensor<8x64xbf16>, tensor<64x64xbf16>) outs(%i : tensor<8x64xbf16>) -> tensor<8x64xbf16>
  %big = arith.constant dense<256.0> : tensor<8x64xbf16>
  %a = arith.addf %h, %big : tensor<8x64xbf16>
  %s = arith.subf %a, %big : tensor<8x64xbf16>
  %f = arith.extf %s : tensor<8x64xbf16> to tensor<8x64xf32>
  %vf = arith.extf %v : tensor<64x16xbf16> to tensor<64x16xf32>
  %zf = arith.constant 0.0 : f32
  %ef = tensor.empty() : tensor<8x16xf32>
  %if = linalg.fill ins(%zf : f32) outs(%ef : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%f, %vf : tensor<8x64xf32>, tensor<64x16xf32>) outs(%if : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
