// What is not converted is refused by name, all at once, and says what is supported.

// RUN: mica-opt %s --convert-stablehlo-to-mica -verify-diagnostics

func.func @f(%a: tensor<4xf32>, %i: tensor<4xi32>, %d: tensor<?xf32>, %u: tensor<4xui8>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.compare' op is not supported in this form: TOTALORDER is not; FLOAT is}}
  %0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // expected-error @+1 {{'stablehlo.compare' op is not supported in this form: UNSIGNED on signless integers is not; SIGNED is}}
  %1 = stablehlo.compare LT, %i, %i, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // expected-error @+1 {{'stablehlo.exponential' op is not supported in this form: elements are of type i32; it works on floats}}
  %2 = stablehlo.exponential %i : tensor<4xi32>
  // expected-error @+1 {{'stablehlo.add' op is not supported in this form: elements are of type ui8; it works on floats and signed integers}}
  %3 = stablehlo.add %u, %u : tensor<4xui8>
  // expected-error @+1 {{'stablehlo.slice' op is not supported in this form: all sizes must be static}}
  %4 = stablehlo.slice %d [0:2] : (tensor<?xf32>) -> tensor<?xf32>
  %5 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.tanh' op is not supported in this form: in a body that is not one sum, product, maximum or minimum}}
    %6 = stablehlo.tanh %x : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }
  return
}
