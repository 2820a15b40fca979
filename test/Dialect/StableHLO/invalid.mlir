// Verifiers say what is wrong, and what was expected.

// RUN: mica-opt %s -split-input-file -verify-diagnostics

func.func @broadcast(%x: tensor<4xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{broadcasts dimension 0 of size 4 to size 8}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @transpose(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'dims' contain 1 twice}}
  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @slice(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{takes the positions 3:5:1 of dimension 0 of size 4}}
  %0 = stablehlo.slice %x [3:5] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @concatenate(%x: tensor<4x2xf32>, %y: tensor<3x2xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has operands of types 'tensor<4x2xf32>' and 'tensor<3x2xf32>'}}
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @pad(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  // expected-error @+1 {{has a result of sizes [5], expected [8]}}
  %0 = stablehlo.pad %x, %v, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @dot(%x: tensor<4x8xf32>, %y: tensor<7x2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{pairs dimension 1 of 'tensor<4x8xf32>' with dimension 0 of 'tensor<7x2xf32>'}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<7x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @reduce(%x: tensor<4x8xf32>, %c: tensor<f32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a result of type 'tensor<8xf32>', expected sizes [4]}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @unknown(%x: tensor<4x8xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{is no op of 'stablehlo' that could reduce}}
  %0 = stablehlo.reduce(%x init: %c) applies mica.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @if(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a region that returns ('tensor<5xf32>'), expected ('tensor<4xf32>')}}
  %0 = "stablehlo.if"(%c) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<5xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @set_dimension_size_dim(%x: tensor<4xf32>, %n: tensor<i32>) {
  // expected-error @+1 {{the dimension 'dim' contain 1, expected numbers from 0 to 0}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @set_dimension_size_of_floats(%x: tensor<4xf32>, %n: tensor<f32>) {
  // expected-error @+1 {{has a size of type 'tensor<f32>', expected an integer of rank 0}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}
