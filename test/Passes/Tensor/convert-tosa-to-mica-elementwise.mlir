// RUN: mica-opt %s -convert-tosa-to-mica | FileCheck %s
// RUN: mica-opt %s -mica-phase-tensor | FileCheck %s --check-prefix=PHASE --implicit-check-not="tosa."

// PHASE: module

// CHECK-LABEL: func.func @functions(
// CHECK-NEXT: mica.abs
// CHECK-NEXT: mica.ceil
// CHECK-NEXT: mica.floor
// CHECK-NEXT: mica.log
// CHECK-NEXT: mica.rsqrt
// CHECK-NEXT: mica.sin
// CHECK-NEXT: mica.cos
// CHECK-NEXT: mica.pow
// CHECK-NEXT: mica.clamp {{.*}} min = -1.000000e+00 : bf16 max = 1.000000e+00 : bf16 : tensor<4xbf16>
// CHECK-NEXT: return
func.func @functions(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = tosa.abs %a : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = tosa.ceil %0 : (tensor<4xbf16>) -> tensor<4xbf16>
  %2 = tosa.floor %1 : (tensor<4xbf16>) -> tensor<4xbf16>
  %3 = tosa.log %2 : (tensor<4xbf16>) -> tensor<4xbf16>
  %4 = tosa.rsqrt %3 : (tensor<4xbf16>) -> tensor<4xbf16>
  %5 = tosa.sin %4 : (tensor<4xbf16>) -> tensor<4xbf16>
  %6 = tosa.cos %5 : (tensor<4xbf16>) -> tensor<4xbf16>
  %7 = tosa.pow %6, %a : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %8 = tosa.clamp %7 {min_val = -1.0 : bf16, max_val = 1.0 : bf16} : (tensor<4xbf16>) -> tensor<4xbf16>
  return %8 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @bits(
// CHECK-NEXT: mica.bitwise_and
// CHECK-NEXT: mica.bitwise_or
// CHECK-NEXT: mica.bitwise_xor
// CHECK-NEXT: mica.bitwise_not
// CHECK-NEXT: mica.shift_left
// CHECK-NEXT: mica.shift_right_logical
// CHECK-NEXT: mica.shift_right_arithmetic
// CHECK-NEXT: mica.div
// CHECK-NEXT: mica.abs
// CHECK-NEXT: return
func.func @bits(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %1 = tosa.bitwise_or %0, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %2 = tosa.bitwise_xor %1, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %3 = tosa.bitwise_not %2 : (tensor<4x8xi32>) -> tensor<4x8xi32>
  %4 = tosa.logical_left_shift %3, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %5 = tosa.logical_right_shift %4, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %6 = tosa.arithmetic_right_shift %5, %b {round = false} : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %7 = tosa.intdiv %6, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  %8 = tosa.abs %7 : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %8 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @choices(
// CHECK-SAME: %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<1x8xf32>
// CHECK-NEXT: %[[EQ:.*]] = mica.compare eq %[[A]], %[[B]]
// CHECK-NEXT: %[[GT:.*]] = mica.compare gt %[[A]], %[[B]]
// CHECK-NEXT: %[[GE:.*]] = mica.compare ge %[[A]], %[[B]]
// CHECK-NEXT: %[[AND:.*]] = mica.logical_and %[[EQ]], %[[GT]]
// CHECK-NEXT: %[[OR:.*]] = mica.logical_or %[[AND]], %[[GE]]
// CHECK-NEXT: %[[XOR:.*]] = mica.logical_xor %[[OR]], %[[EQ]]
// CHECK-NEXT: %[[NOT:.*]] = mica.logical_not %[[XOR]]
// CHECK-NEXT: %[[R:.*]] = mica.select %[[NOT]], %[[A]], %[[B]]
// CHECK-NEXT: return %[[R]]
func.func @choices(%a: tensor<?x8xf32>, %b: tensor<1x8xf32>) -> tensor<?x8xf32> {
  %0 = tosa.equal %a, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xi1>
  %1 = tosa.greater %a, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xi1>
  %2 = tosa.greater_equal %a, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xi1>
  %3 = tosa.logical_and %0, %1 : (tensor<?x8xi1>, tensor<?x8xi1>) -> tensor<?x8xi1>
  %4 = tosa.logical_or %3, %2 : (tensor<?x8xi1>, tensor<?x8xi1>) -> tensor<?x8xi1>
  %5 = tosa.logical_xor %4, %0 : (tensor<?x8xi1>, tensor<?x8xi1>) -> tensor<?x8xi1>
  %6 = tosa.logical_not %5 : (tensor<?x8xi1>) -> tensor<?x8xi1>
  %7 = tosa.select %6, %a, %b : (tensor<?x8xi1>, tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  return %7 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: mica.cast %{{.*}} rounding = nearest_even : tensor<4xf32> to tensor<4xi8>
// CHECK-NEXT: mica.cast %{{.*}} : tensor<4xi8> to tensor<4xi1>
// CHECK-NEXT: mica.cast %{{.*}} overflow = wrap : tensor<4xi8> to tensor<4xi32>
// CHECK-NEXT: mica.cast %{{.*}} : tensor<4xi8> to tensor<4xf16>
// CHECK-NEXT: mica.cast %{{.*}} : tensor<4xf16> to tensor<4xf32>
func.func @casts(%a: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi32>, tensor<4xf32>) {
  %0 = tosa.cast %a : (tensor<4xf32>) -> tensor<4xi8>
  %1 = tosa.cast %0 : (tensor<4xi8>) -> tensor<4xi1>
  %2 = tosa.cast %0 : (tensor<4xi8>) -> tensor<4xi32>
  %3 = tosa.cast %0 : (tensor<4xi8>) -> tensor<4xf16>
  %4 = tosa.cast %3 : (tensor<4xf16>) -> tensor<4xf32>
  return %1, %2, %4 : tensor<4xi1>, tensor<4xi32>, tensor<4xf32>
}

// The last bit that is shifted out is added; where none is, no shift is by -1.
// CHECK-LABEL: func.func @rounding_shift(
// CHECK-DAG: %[[LESS:.*]] = mica.sub %arg1, %{{.*}} : (tensor<1x8xi32>, tensor<1x1xi32>) -> tensor<1x8xi32>
// CHECK-DAG: %[[MOST:.*]] = mica.max %[[LESS]], %{{.*}} : (tensor<1x8xi32>, tensor<1x1xi32>) -> tensor<1x8xi32>
// CHECK-DAG: %[[LAST:.*]] = mica.shift_right_arithmetic %arg0, %[[MOST]]
// CHECK: %[[BIT:.*]] = mica.bitwise_and %[[LAST]],
// CHECK: %[[SHIFTED:.*]] = mica.shift_right_arithmetic %arg0, %arg1
// CHECK: mica.add %[[SHIFTED]], %[[BIT]]
func.func @rounding_shift(%a: tensor<4x8xi32>, %s: tensor<1x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.arithmetic_right_shift %a, %s {round = true} : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// What says more than its twin stays.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @staying(
// CHECK: tosa.clamp
// CHECK: tosa.greater
func.func @staying(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi1>) {
  %1 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 1.0 : f32, nan_mode = IGNORE} : (tensor<?xf32>) -> tensor<?xf32>
  %2 = tosa.greater %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  return %1, %2 : tensor<?xf32>, tensor<?xi1>
}

