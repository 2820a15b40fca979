// What vhlo does not have, in versions that are read, is an error at the op.

// RUN: mica-opt %s --convert-vhlo-to-stablehlo -split-input-file -verify-diagnostics

func.func @newer(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{op 'vhlo.abs_v7' is unknown: Mica reads versions 0.9.0 to 1.13.0 of StableHLO, which have older versions of it}}
  %0 = "vhlo.abs_v7"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{op 'vhlo.frobnicate_v1' is unknown: Mica reads versions 0.9.0 to 1.13.0 of StableHLO}}
  %0 = "vhlo.frobnicate_v1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @missing(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{attribute 'rhs_contracting_dimensions' is missing, or is of another kind than 'vhlo.dot_general_v1' has}}
  %0 = "vhlo.dot_general_v1"(%x, %x) {
    lhs_batching_dimensions = dense<> : tensor<0xi64>, rhs_batching_dimensions = dense<> : tensor<0xi64>,
    lhs_contracting_dimensions = dense<1> : tensor<1xi64>, precision_config = []
  } : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @kind(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{attribute 'lhs_contracting_dimensions' is missing, or is of another kind than 'vhlo.dot_general_v1' has}}
  %0 = "vhlo.dot_general_v1"(%x, %x) {
    lhs_batching_dimensions = dense<> : tensor<0xi64>, rhs_batching_dimensions = dense<> : tensor<0xi64>,
    lhs_contracting_dimensions = dense<1> : tensor<1xi32>, rhs_contracting_dimensions = dense<1> : tensor<1xi64>, precision_config = []
  } : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'callee' is missing, or is of another kind than 'vhlo.call_v1' has}}
  %0 = "vhlo.call_v1"(%x) {callee = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @constraint(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{as 'stablehlo.concatenate': attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "vhlo.concatenate_v1"(%x) {dimension = "0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
