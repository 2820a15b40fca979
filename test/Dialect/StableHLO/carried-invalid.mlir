// Verifiers of tuples, quantized elements and constants say what is wrong, and what was expected.

// RUN: mica-opt %s -split-input-file -verify-diagnostics

func.func @element(%t: tuple<tensor<f32>>) -> tensor<f32> {
  // expected-error @+1 {{takes element 1 of a tuple of 1}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @type(%t: tuple<tensor<f32>>) -> tensor<i32> {
  // expected-error @+1 {{has a result of type 'tensor<i32>', expected 'tensor<f32>'}}
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @tuple(%a: tensor<f32>) -> tuple<tensor<i32>> {
  // expected-error @+1 {{has a result of type 'tuple<tensor<i32>>' and operands of types ('tensor<f32>')}}
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<i32>>
  return %0 : tuple<tensor<i32>>
}

// -----

func.func @quantize(%a: tensor<2xf32>) -> tensor<2xi8> {
  // expected-error @+1 {{works on quantized elements, got 'i8'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

func.func @dequantize(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf64> {
  // expected-error @+1 {{converts between 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>' and 'tensor<2xf64>'}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @elements(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant() -> tensor<2xf32> {
  // expected-error @+1 {{has a result of type 'tensor<2xf32>' and a value of type 'tensor<2xi32>'}}
  %0 = stablehlo.constant() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @broadcast(%a: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{has a result of sizes [2, 3], expected [3, 2]}}
  %0 = stablehlo.broadcast %a, sizes = [3] : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
