// Ops on windows, indices and bits parse as frameworks write them, and print as they were written.

// RUN: mica-opt %s -o %t.mlir
// RUN: mica-opt %t.mlir | FileCheck %s
// RUN: mica-opt %s -mlir-print-op-generic | mica-opt | diff %t.mlir -
// RUN: mica-opt %s -emit-bytecode | mica-opt | diff %t.mlir -

// CHECK-LABEL: func.func @f
func.func @f(%l: tensor<1x4x4x1xf32>, %r: tensor<3x3x1x1xf32>, %z: tensor<4xcomplex<f32>>, %m: tensor<3x3xf32>, %i: tensor<2x1xi64>,
             %u: tensor<2x3xf32>, %s: tensor<2xui64>, %n: tensor<2xi64>) {
  // CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = {{\[}}[0, 1], [-1, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, true]}
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[0, 1], [-1, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x1x1xf32>
  // CHECK: stablehlo.fft %arg2, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.fft %z, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  // CHECK: stablehlo.real %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.real %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
  %3 = stablehlo.complex %2, %2 : tensor<4xcomplex<f32>>
  // CHECK: stablehlo.cholesky %arg3, lower = true : tensor<3x3xf32>
  %4 = stablehlo.cholesky %m, lower = true : tensor<3x3xf32>
  // CHECK: "stablehlo.gather"(%arg3, %arg4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  %5 = "stablehlo.gather"(%m, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = dense<[1, 3]> : tensor<2xi64>} : (tensor<3x3xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.scatter"(%arg3, %arg4, %arg5) <{{{.*}}scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  %6 = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<3x3xf32>
  // CHECK: stablehlo.reduce_precision %arg3, format = e5m10 : tensor<3x3xf32>
  %7 = stablehlo.reduce_precision %m, format = e5m10 : tensor<3x3xf32>
  // CHECK: stablehlo.rng_bit_generator %arg6, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %8:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  // CHECK: stablehlo.dynamic_broadcast_in_dim %arg3, %arg7, dims = [0, 1] : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %9 = stablehlo.dynamic_broadcast_in_dim %m, %n, dims = [0, 1] : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: stablehlo.custom_call @foo.bar(%arg3) {has_side_effect = true} : (tensor<3x3xf32>) -> ()
  stablehlo.custom_call @foo.bar(%m) {has_side_effect = true} : (tensor<3x3xf32>) -> ()
  // CHECK: check.expect_eq %arg3, %arg3 : tensor<3x3xf32>, tensor<3x3xf32>
  check.expect_eq %m, %m : tensor<3x3xf32>
  // CHECK: check.expect_eq_const %arg7, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %n, dense<[1, 2]> : tensor<2xi64>
  return
}
