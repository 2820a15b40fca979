// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-expand-narrow-float-casts,canonicalize,cse))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-expand-narrow-float-casts{types=bf16,f16},canonicalize,cse))' \
// RUN:   | FileCheck %s --check-prefix=EMULATED

// The conversions are integer arithmetic on whole vectors.
// CHECK-LABEL: func.func @add(
// CHECK-SAME:    %[[A:.*]]: vector<4xf8E4M3FN>)
// CHECK-NOT:     arith.extf
// CHECK:         %[[BYTES:.*]] = arith.bitcast %[[A]] : vector<4xf8E4M3FN> to vector<4xi8>
// CHECK:         arith.extui %[[BYTES]] : vector<4xi8> to vector<4xi32>
// CHECK:         %[[BITS:.*]] = arith.ori
// CHECK:         %[[WIDE:.*]] = arith.bitcast %[[BITS]] : vector<4xi32> to vector<4xf32>
// CHECK:         arith.addf %[[WIDE]], %[[WIDE]] : vector<4xf32>
// CHECK-NOT:     arith.truncf
// CHECK:         %[[R:.*]] = arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E4M3FN>
// CHECK-NEXT:    return %[[R]]
func.func @add(%a: vector<4xf8E4M3FN>) -> vector<4xf8E4M3FN> {
  %0 = arith.addf %a, %a : vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// CHECK-LABEL: func.func @function(
// CHECK-SAME:    %[[A:.*]]: vector<8xbf16>, %[[B:.*]]: vector<8xbf16>)
// CHECK-DAG:     %[[W:.*]] = arith.extf %[[A]] : vector<8xbf16> to vector<8xf32>
// CHECK:         %[[E:.*]] = math.exp %[[W]] : vector<8xf32>
// CHECK:         %[[T:.*]] = arith.truncf %[[E]] : vector<8xf32> to vector<8xbf16>
// CHECK:         arith.addf %[[T]], %[[B]] : vector<8xbf16>
func.func @function(%a: vector<8xbf16>, %b: vector<8xbf16>) -> vector<8xbf16> {
  %0 = math.exp %a : vector<8xbf16>
  %1 = arith.addf %0, %b : vector<8xbf16>
  return %1 : vector<8xbf16>
}

// Rounding twice would not be rounding once: the first step leaves a bit that says whether there was more.
// CHECK-LABEL: func.func @halves_of_f64(
// CHECK-SAME:    %[[A:.*]]: vector<4xf64>)
// CHECK:         %[[N:.*]] = arith.truncf %[[A]] : vector<4xf64> to vector<4xf32>
// CHECK:         %[[B:.*]] = arith.extf %[[N]] : vector<4xf32> to vector<4xf64>
// CHECK:         arith.cmpf one, %[[B]], %[[A]]
// CHECK:         arith.ori
// CHECK:         arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
func.func @halves_of_f64(%a: vector<4xf64>) -> vector<4xf16> {
  %0 = arith.truncf %a : vector<4xf64> to vector<4xf16>
  return %0 : vector<4xf16>
}

// A machine without conversions of its own: shifts for bf16, which LLVM must not take for a conversion, and integer arithmetic.
// EMULATED-LABEL: func.func @product(
// EMULATED-SAME:    %[[A:.*]]: vector<8xbf16>)
// EMULATED:         %[[BITS:.*]] = arith.bitcast %[[A]] : vector<8xbf16> to vector<8xi16>
// EMULATED:         %[[X:.*]] = arith.extui %[[BITS]] : vector<8xi16> to vector<8xi32>
// EMULATED:         %[[SHIFTED:.*]] = arith.shli %[[X]]
// EMULATED:         %[[WIDE:.*]] = arith.bitcast %[[SHIFTED]] : vector<8xi32> to vector<8xf32>
// EMULATED:         arith.mulf %[[WIDE]], %[[WIDE]] : vector<8xf32>
// EMULATED-NOT:     arith.truncf
// EMULATED:         arith.bitcast %{{.*}} : vector<8xi16> to vector<8xbf16>
// CHECK-LABEL: func.func @product(
// CHECK:         arith.mulf {{.*}} : vector<8xbf16>
func.func @product(%a: vector<8xbf16>) -> vector<8xbf16> {
  %0 = arith.mulf %a, %a : vector<8xbf16>
  return %0 : vector<8xbf16>
}

// EMULATED-LABEL: func.func @half(
// EMULATED-NOT:     arith.extf
// EMULATED-NOT:     arith.truncf
// EMULATED:         arith.addf {{.*}} : f32
// EMULATED-NOT:     arith.truncf
// EMULATED:         arith.trunci %{{.*}} : i32 to i16
// EMULATED:         return
func.func @half(%a: f16, %b: i32) -> f16 {
  %0 = arith.sitofp %b : i32 to f16
  %1 = arith.addf %a, %0 : f16
  return %1 : f16
}

// A rounding mode is a step to the neighbor where the nearest number is on the wrong side.
// CHECK-LABEL: func.func @toward_zero(
// CHECK-SAME:    %[[X:.*]]: f64)
// CHECK:         %[[NEAREST:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK:         %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[NEAREST]] : f32 to i32
// CHECK:         %[[SMALLER:.*]] = arith.{{addi|subi}} %[[BITS]], %{{.*}} : i32
// CHECK:         %[[FAR:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f64
// CHECK:         %[[R:.*]] = arith.select %[[FAR]], %[[SMALLER]], %[[BITS]] : i32
// CHECK:         arith.bitcast %[[R]] : i32 to f32
func.func @toward_zero(%x: f64) -> f32 {
  %0 = arith.truncf %x toward_zero : f64 to f32
  return %0 : f32
}
