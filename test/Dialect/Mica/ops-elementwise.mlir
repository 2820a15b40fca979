// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null
// RUN: mica-opt %s -o %t.mlir
// RUN: mica-opt %s -emit-bytecode -o %t.mlirbc && mica-opt %t.mlirbc -o %t.back.mlir && diff %t.mlir %t.back.mlir
// RUN: mica-opt %s -mlir-print-op-generic -o %t.generic.mlir && mica-opt %t.generic.mlir -o %t.back.mlir && diff %t.mlir %t.back.mlir

// Functions, logic, casts and generators: every operation's documented example, then the forms that the examples do not show, parses
// and prints again.

// CHECK-LABEL: func.func @abs(
// CHECK: mica.abs %{{.*}} : tensor<4x8xf32>
func.func @abs(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.abs %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @log(
// CHECK: mica.log %{{.*}} : tensor<4x8xf32>
func.func @log(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.log %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sqrt(
// CHECK: mica.sqrt %{{.*}} : tensor<4x8xf32>
func.func @sqrt(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.sqrt %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK: mica.rsqrt %{{.*}} : tensor<4x8xf32>
func.func @rsqrt(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.rsqrt %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sin(
// CHECK: mica.sin %{{.*}} : tensor<4x8xf32>
func.func @sin(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.sin %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @cos(
// CHECK: mica.cos %{{.*}} : tensor<4x8xf32>
func.func @cos(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.cos %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @floor(
// CHECK: mica.floor %{{.*}} : tensor<4x8xf32>
func.func @floor(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.floor %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @ceil(
// CHECK: mica.ceil %{{.*}} : tensor<4x8xf32>
func.func @ceil(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.ceil %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @round(
// CHECK: mica.round %{{.*}} : tensor<4x8xf32>
func.func @round(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.round %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @pow(
// CHECK: mica.pow %{{.*}}, %{{.*}} : tensor<4x8xf32>
func.func @pow(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.pow %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rem(
// CHECK: mica.rem %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @rem(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.rem %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @relu6(
// CHECK: mica.clamp %{{.*}} min = 0.000000e+00 : f32 max = 6.000000e+00 : f32 : tensor<?x8xf32>
func.func @relu6(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = mica.clamp %x min = 0.0 : f32 max = 6.0 : f32 : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @mask(
// CHECK: mica.compare lt %{{.*}}, %{{.*}} : (tensor<?x8xf32>, tensor<1x1xf32>) -> tensor<?x8xi1>
func.func @mask(%a: tensor<?x8xf32>, %limit: tensor<1x1xf32>) -> tensor<?x8xi1> {
  %0 = mica.compare lt %a, %limit : (tensor<?x8xf32>, tensor<1x1xf32>) -> tensor<?x8xi1>
  return %0 : tensor<?x8xi1>
}

// CHECK-LABEL: func.func @masked(
// CHECK: mica.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x8x8xi1>, tensor<?x8x8xf32>, tensor<1x1x1xf32>) -> tensor<?x8x8xf32>
func.func @masked(%c: tensor<1x8x8xi1>, %a: tensor<?x8x8xf32>, %b: tensor<1x1x1xf32>) -> tensor<?x8x8xf32> {
  %0 = mica.select %c, %a, %b : (tensor<1x8x8xi1>, tensor<?x8x8xf32>, tensor<1x1x1xf32>) -> tensor<?x8x8xf32>
  return %0 : tensor<?x8x8xf32>
}

// CHECK-LABEL: func.func @logical_and(
// CHECK: mica.logical_and %{{.*}}, %{{.*}} : tensor<4x8xi1>
func.func @logical_and(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = mica.logical_and %a, %b : tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @logical_or(
// CHECK: mica.logical_or %{{.*}}, %{{.*}} : tensor<4x8xi1>
func.func @logical_or(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = mica.logical_or %a, %b : tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @logical_xor(
// CHECK: mica.logical_xor %{{.*}}, %{{.*}} : tensor<4x8xi1>
func.func @logical_xor(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = mica.logical_xor %a, %b : tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @logical_not(
// CHECK: mica.logical_not %{{.*}} : tensor<4x8xi1>
func.func @logical_not(%x: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = mica.logical_not %x : tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @bitwise_and(
// CHECK: mica.bitwise_and %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @bitwise_and(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.bitwise_and %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_or(
// CHECK: mica.bitwise_or %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @bitwise_or(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.bitwise_or %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_xor(
// CHECK: mica.bitwise_xor %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @bitwise_xor(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.bitwise_xor %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_not(
// CHECK: mica.bitwise_not %{{.*}} : tensor<4x8xi32>
func.func @bitwise_not(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.bitwise_not %x : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @shift_left(
// CHECK: mica.shift_left %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @shift_left(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.shift_left %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @shift_right_arithmetic(
// CHECK: mica.shift_right_arithmetic %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @shift_right_arithmetic(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.shift_right_arithmetic %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @shift_right_logical(
// CHECK: mica.shift_right_logical %{{.*}}, %{{.*}} : tensor<4x8xi32>
func.func @shift_right_logical(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = mica.shift_right_logical %a, %b : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @cast(
// CHECK: mica.cast %{{.*}} rounding = nearest_even : tensor<?x8xf32> to tensor<?x8xi8>
func.func @cast(%x: tensor<?x8xf32>) -> tensor<?x8xi8> {
  %0 = mica.cast %x rounding = nearest_even : tensor<?x8xf32> to tensor<?x8xi8>
  return %0 : tensor<?x8xi8>
}

// CHECK-LABEL: func.func @quantize(
// CHECK: mica.quantize %{{.*}} scale %{{.*}} : tensor<8xf32> zero_point %{{.*}} : tensor<8xi8> axis = 1 : tensor<?x8xf32> to tensor<?x8xi8>
func.func @quantize(%x: tensor<?x8xf32>, %s: tensor<8xf32>, %z: tensor<8xi8>) -> tensor<?x8xi8> {
  %0 = mica.quantize %x scale %s : tensor<8xf32> zero_point %z : tensor<8xi8> axis = 1
     : tensor<?x8xf32> to tensor<?x8xi8>
  return %0 : tensor<?x8xi8>
}

// CHECK-LABEL: func.func @dequantize(
// CHECK: mica.dequantize %{{.*}} scale %{{.*}} : tensor<f32> : tensor<?x8xi4> to tensor<?x8xf32>
func.func @dequantize(%x: tensor<?x8xi4>, %s: tensor<f32>) -> tensor<?x8xf32> {
  %0 = mica.dequantize %x scale %s : tensor<f32> : tensor<?x8xi4> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @positions(
// CHECK: mica.iota axis = 0 sizes(%{{.*}}) : tensor<?x8xi32>
func.func @positions(%n: index) -> tensor<?x8xi32> {
  %0 = mica.iota axis = 0 sizes(%n) : tensor<?x8xi32>
  return %0 : tensor<?x8xi32>
}

// CHECK-LABEL: func.func @one_hot(
// CHECK: mica.one_hot %{{.*}} axis = 1 : tensor<?xi32> to tensor<?x10xf32>
func.func @one_hot(%i: tensor<?xi32>) -> tensor<?x10xf32> {
  %0 = mica.one_hot %i axis = 1 : tensor<?xi32> to tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}

// CHECK-LABEL: func.func @pow_integers(
// CHECK: mica.pow %{{.*}}, %{{.*}} : (tensor<?x1xi8>, tensor<1x8xi8>) -> tensor<?x8xi8>
func.func @pow_integers(%a: tensor<?x1xi8>, %b: tensor<1x8xi8>) -> tensor<?x8xi8> {
  %0 = mica.pow %a, %b : (tensor<?x1xi8>, tensor<1x8xi8>) -> tensor<?x8xi8>
  return %0 : tensor<?x8xi8>
}

// CHECK-LABEL: func.func @clamp_integers(
// CHECK: mica.clamp %{{.*}} min = -3 : i4 max = 5 : i4 : tensor<4xi4>
func.func @clamp_integers(%x: tensor<4xi4>) -> tensor<4xi4> {
  %0 = mica.clamp %x min = -3 : i4 max = 5 : i4 : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// CHECK-LABEL: func.func @compare_all(
// CHECK: mica.compare eq %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
// CHECK: mica.compare ne %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
// CHECK: mica.compare le %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
// CHECK: mica.compare gt %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
// CHECK: mica.compare ge %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
func.func @compare_all(%a: tensor<4xi1>, %b: tensor<1xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = mica.compare eq %a, %b : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  %1 = mica.compare ne %a, %b : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  %2 = mica.compare le %a, %b : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  %3 = mica.compare gt %a, %b : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  %4 = mica.compare ge %a, %b : (tensor<4xi1>, tensor<1xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func.func @select_repeats(
// CHECK: mica.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x1xi1>, tensor<?x1xf8E4M3FN>, tensor<1x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN>
func.func @select_repeats(%c: tensor<1x1xi1>, %a: tensor<?x1xf8E4M3FN>, %b: tensor<1x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN> {
  %0 = mica.select %c, %a, %b : (tensor<1x1xi1>, tensor<?x1xf8E4M3FN>, tensor<1x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN>
  return %0 : tensor<?x?xf8E4M3FN>
}

// CHECK-LABEL: func.func @cast_forms(
// CHECK: mica.cast %{{.*}} : tensor<4x?xf64> to tensor<4x?xf8E5M2>
// CHECK: mica.cast %{{.*}} overflow = wrap rounding = nearest_even : tensor<4x?xf64> to tensor<?x8xi16>
// CHECK: mica.cast %{{.*}} : tensor<4xi64> to tensor<4xi1>
// CHECK: mica.cast %{{.*}} : tensor<4xi64> to tensor<4xbf16>
func.func @cast_forms(%x: tensor<4x?xf64>, %i: tensor<4xi64>) -> (tensor<4x?xf8E5M2>, tensor<?x8xi16>, tensor<4xi1>, tensor<4xbf16>) {
  %0 = mica.cast %x : tensor<4x?xf64> to tensor<4x?xf8E5M2>
  %1 = mica.cast %x overflow = wrap rounding = nearest_even : tensor<4x?xf64> to tensor<?x8xi16>
  %2 = mica.cast %i : tensor<4xi64> to tensor<4xi1>
  %3 = mica.cast %i : tensor<4xi64> to tensor<4xbf16>
  return %0, %1, %2, %3 : tensor<4x?xf8E5M2>, tensor<?x8xi16>, tensor<4xi1>, tensor<4xbf16>
}

// CHECK-LABEL: func.func @quantize_per_tensor(
// CHECK: mica.quantize %{{.*}} scale %{{.*}} : tensor<bf16> : tensor<?x8xbf16> to tensor<?x8xi4>
func.func @quantize_per_tensor(%x: tensor<?x8xbf16>, %s: tensor<bf16>) -> tensor<?x8xi4> {
  %0 = mica.quantize %x scale %s : tensor<bf16> : tensor<?x8xbf16> to tensor<?x8xi4>
  return %0 : tensor<?x8xi4>
}

// CHECK-LABEL: func.func @quantize_unsigned(
// CHECK: mica.quantize %{{.*}} scale %{{.*}} : tensor<f32> zero_point %{{.*}} : tensor<i8> unsigned : tensor<4x8xf32> to tensor<4x8xi8>
func.func @quantize_unsigned(%x: tensor<4x8xf32>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<4x8xi8> {
  %0 = mica.quantize %x scale %s : tensor<f32> zero_point %z : tensor<i8> unsigned : tensor<4x8xf32> to tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// CHECK-LABEL: func.func @dequantize_per_channel(
// CHECK: mica.dequantize %{{.*}} scale %{{.*}} : tensor<4xf16> zero_point %{{.*}} : tensor<4xi32> axis = 1 unsigned : tensor<?x4xi32> to tensor<?x4xf16>
func.func @dequantize_per_channel(%x: tensor<?x4xi32>, %s: tensor<4xf16>, %z: tensor<4xi32>) -> tensor<?x4xf16> {
  %0 = mica.dequantize %x scale %s : tensor<4xf16> zero_point %z : tensor<4xi32> axis = 1 unsigned : tensor<?x4xi32> to tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// CHECK-LABEL: func.func @iota_static(
// CHECK: mica.iota axis = 1 : tensor<2x300xi8>
func.func @iota_static() -> tensor<2x300xi8> {
  %0 = mica.iota axis = 1 : tensor<2x300xi8>
  return %0 : tensor<2x300xi8>
}

// CHECK-LABEL: func.func @one_hot_first(
// CHECK: mica.one_hot %{{.*}} axis = 0 : tensor<?x3xi8> to tensor<5x?x3xi1>
func.func @one_hot_first(%i: tensor<?x3xi8>) -> tensor<5x?x3xi1> {
  %0 = mica.one_hot %i axis = 0 : tensor<?x3xi8> to tensor<5x?x3xi1>
  return %0 : tensor<5x?x3xi1>
}
