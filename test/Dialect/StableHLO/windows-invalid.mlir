// Each constraint on windows, indices and bits is checked.

// RUN: mica-opt %s -split-input-file -verify-diagnostics

func.func @conv(%l: tensor<1x4x4x3xf32>, %r: tensor<3x3x2x1xf32>) {
  // expected-error @+1 {{has 1 batches, 3 input features, 2 of the kernel and 1 output features, which its groups do not divide}}
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x3xf32>, tensor<3x3x2x1xf32>) -> tensor<1x2x2x1xf32>
  return
}

// -----

func.func @conv_size(%l: tensor<1x4x4x2xf32>, %r: tensor<3x3x2x1xf32>) {
  // expected-error @+1 {{has a result of sizes [1, 3, 2, 1], expected [1, 2, 2, 1]}}
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x3x2x1xf32>
  return
}

// -----

func.func @conv_dims(%l: tensor<1x4x4x2xf32>, %r: tensor<3x3x2x1xf32>) {
  // expected-error @+1 {{expected one 'b', one 'f' and numbers}}
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, b]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x2x2x1xf32>
  return
}

// -----

func.func @gather_slice(%m: tensor<3x3xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+1 {{takes slices of size 4 of dimension 1 of size 3}}
  %5 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x3xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_map(%m: tensor<3x3xf32>, %i: tensor<2x2xi64>) {
  // expected-error @+1 {{maps 1 numbers of each index to dimensions, expected 2}}
  %5 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xf32>, tensor<2x2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scatter_window(%m: tensor<3x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{has windows of size 4 in a dimension of size 3}}
  %6 = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @sort_dim(%m: tensor<3x3xf32>) {
  // expected-error @+1 {{sorts along dimension 2 of 'tensor<3x3xf32>'}}
  %6 = "stablehlo.sort"(%m) <{dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @fft(%z: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{transforms sizes [4], expected [5]}}
  %1 = stablehlo.fft %z, type = FFT, length = [5] : (tensor<4xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @bits(%z: tensor<4xf32>) {
  // expected-error @+1 {{converts 'tensor<4xf32>' to 'tensor<4xf16>'}}
  %1 = stablehlo.bitcast_convert %z : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @solve(%a: tensor<3x2xf32>) {
  // expected-error @+1 {{works on 'tensor<3x2xf32>', expected a batch of square matrices}}
  %1 = stablehlo.cholesky %a, lower = true : tensor<3x2xf32>
  return
}

// -----

func.func @window(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{has 0 in 'window_strides', expected at least 1}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @format(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 0 exponent bits, expected at least 1}}
  %0 = stablehlo.reduce_precision %x, format = e0m10 : tensor<4xf32>
  return
}
