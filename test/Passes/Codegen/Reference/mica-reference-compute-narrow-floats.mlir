// RUN: mica-opt %s --mica-reference-compute-narrow-floats | FileCheck %s
// RUN: mica-opt %s --mica-reference-compute-narrow-floats --convert-arith-to-llvm --convert-func-to-llvm --mica-reference-carry-bits=types=bf16 | FileCheck %s --check-prefix=BITS

// What computes is in f64; to and from it go integers.
// CHECK-LABEL: func.func @add(
// CHECK-SAME:    %[[A:.*]]: bf16, %[[B:.*]]: bf16)
// CHECK:         arith.bitcast %[[A]] : bf16 to i16
// CHECK:         arith.bitcast %[[B]] : bf16 to i16
// CHECK:         %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f64
// CHECK:         math.roundeven %{{.*}} : f64
// CHECK:         %[[R:.*]] = arith.bitcast %{{.*}} : i16 to bf16
// CHECK:         return %[[R]]
// BITS-LABEL:  llvm.func @add(
// BITS-SAME:     %{{.*}}: i16, %{{.*}}: i16) -> i16
func.func @add(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  return %0 : bf16
}

// What only moves stays.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @choose(
// CHECK-NEXT:    arith.select
// CHECK-NEXT:    return
func.func @choose(%c: i1, %a: f16, %b: f16) -> f16 {
  %0 = arith.select %c, %a, %b : f16
  return %0 : f16
}

// A rounding mode rounds the magnitude in the mode's direction, also to f32.
// CHECK-LABEL: func.func @upward(
// CHECK-SAME:    %[[X:.*]]: f64)
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpi slt
// CHECK:         %[[AWAY:.*]] = math.ceil
// CHECK:         %[[TOWARD:.*]] = math.floor
// CHECK:         arith.select %[[NEGATIVE]], %[[TOWARD]], %[[AWAY]]
// CHECK:         arith.bitcast %{{.*}} : i32 to f32
func.func @upward(%x: f64) -> f32 {
  %0 = arith.truncf %x upward : f64 to f32
  return %0 : f32
}
