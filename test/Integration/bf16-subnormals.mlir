// f32 becomes the nearest bf16 also where that is subnormal, on every processor: AVX512-BF16 would give 0.
// REQUIRES: compiler
// RUN: mica-compile %s -o %t --force && mica-run %t --input=6xf32=9.183549615799121e-41,4.591774807899561e-41,4.7e-41,1e-38,-9.2e-41,1.1754943508222875e-38 | FileCheck %s
// RUN: mica-compile %s -o %t --force -O0 && mica-run %t --input=6xf32=9.183549615799121e-41,4.591774807899561e-41,4.7e-41,1e-38,-9.2e-41,1.1754943508222875e-38 | FileCheck %s
// The second is half of the smallest number: to even.
// CHECK: 1 0 1 109 -32767 128
func.func @main(%x: tensor<6xf32>) -> tensor<6xi16> {
  %0 = arith.truncf %x : tensor<6xf32> to tensor<6xbf16>
  %1 = arith.bitcast %0 : tensor<6xbf16> to tensor<6xi16>
  return %1 : tensor<6xi16>
}
