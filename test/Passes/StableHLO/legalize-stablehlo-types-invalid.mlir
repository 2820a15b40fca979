// What cannot be carried in another type is refused by name.

// RUN: mica-opt %s --legalize-stablehlo-types -split-input-file -verify-diagnostics

func.func @main(%x: tensor<2xf8E4M3FNUZ>) -> tensor<2xi8> {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op is not supported in this form: the bits of elements that are carried in a wider type}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf8E4M3FNUZ>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

func.func @main(%x: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>>) -> tensor<2xf32> {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op is not supported in this form: a quantized tensor has one scale for each index of its quantized dimension}}
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>, %c: tensor<!quant.uniform<i8:f32, 0.25>>) -> tensor<!quant.uniform<i8:f32, 0.25>> {
  // expected-error @+1 {{'stablehlo.reduce' op is not supported in this form: all quantized elements have one type}}
  %0 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.25>>, %b: tensor<!quant.uniform<i8:f32, 0.25>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.25>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.25>>
  }) {dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.25>>) -> tensor<!quant.uniform<i8:f32, 0.25>>
  return %0 : tensor<!quant.uniform<i8:f32, 0.25>>
}
