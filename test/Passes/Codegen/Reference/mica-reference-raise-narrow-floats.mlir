// RUN: mica-opt %s --pass-pipeline='builtin.module(llvm.func(mica-reference-raise-narrow-floats))' | FileCheck %s
// Then it computes with them, whether the host has such instructions or not. 1.5 + 2.25 = 3.75; 1.00390625 lies halfway.
// RUN: mica-compile --plain -O0 %s -o %t && mica-run %t --entry=call | FileCheck %s --check-prefix=SUM

// CHECK-LABEL: @ops
llvm.func @ops(%a: bf16, %b: bf16, %v: vector<4xf16>, %x: f32) -> f32 {
  // CHECK: arith.addf {{.*}} : bf16
  %0 = llvm.fadd %a, %b : bf16
  // CHECK: arith.truncf {{.*}} : f32 to bf16
  %1 = llvm.fptrunc %x : f32 to bf16
  // CHECK: arith.cmpf olt
  %2 = llvm.fcmp "olt" %0, %1 : bf16
  // CHECK: math.fma
  %3 = llvm.intr.fma(%0, %1, %a) : (bf16, bf16, bf16) -> bf16
  // CHECK: vector.reduction <add>
  %start = llvm.mlir.constant(0.0 : f16) : f16
  %4 = "llvm.intr.vector.reduce.fadd"(%start, %v) : (f16, vector<4xf16>) -> f16
  // CHECK: vector.reduction <maximumf>
  %5 = llvm.intr.vector.reduce.fmaximum(%v) : (vector<4xf16>) -> f16
  %6 = llvm.select %2, %0, %3 : i1, bf16
  // CHECK: arith.extf {{.*}} : bf16 to f32
  %7 = llvm.fpext %6 : bf16 to f32
  %8 = llvm.fpext %4 : f16 to f32
  %9 = llvm.fpext %5 : f16 to f32
  // Wide types stay.
  // CHECK: llvm.fadd {{.*}} : f32
  %10 = llvm.fadd %7, %8 : f32
  %11 = llvm.fadd %10, %9 : f32
  llvm.return %11 : f32
}

// fadd 3.75 < 1.0 is false, so fma 3.75 * 1.0 + 1.5 = 5.25; then the sum 10 and the maximum 4.
// SUM: 19.25
func.func @call() -> f32 {
  %a = arith.constant 1.5 : bf16
  %b = arith.constant 2.25 : bf16
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf16>
  %x = arith.constant 1.00390625 : f32
  %0 = llvm.call @ops(%a, %b, %v, %x) : (bf16, bf16, vector<4xf16>, f32) -> f32
  return %0 : f32
}
