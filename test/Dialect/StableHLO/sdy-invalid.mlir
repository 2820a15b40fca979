// RUN: mica-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected an annotation, such as <@mesh, [{"x"}, {}]>}}
sdy.mesh @mesh = 3

// -----

func.func @open(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{an annotation ends with the bracket that closes it}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
