// Tuples, tokens, quantized types, collective ops, and spellings of files from before version 1.0.

// RUN: mica-opt %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mica-opt %t.mlir | diff %t.mlir -
// RUN: mica-opt %s -mlir-print-op-generic -o %t.generic.mlir
// RUN: mica-opt %t.generic.mlir | diff %t.mlir -
// RUN: mica-opt %s -emit-bytecode -o %t.mlirbc
// RUN: mica-opt %t.mlirbc | diff %t.mlir -

// CHECK-LABEL: func.func @tuples
func.func @tuples(%a: tensor<2xf32>, %i: tensor<i32>, %k: !stablehlo.token) -> (tensor<i32>, !stablehlo.token) {
  // CHECK: stablehlo.tuple %arg0, %arg1 : tuple<tensor<2xf32>, tensor<i32>>
  %0 = stablehlo.tuple %a, %i : tuple<tensor<2xf32>, tensor<i32>>
  // CHECK: stablehlo.get_tuple_element %{{.*}}[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: stablehlo.create_token : !stablehlo.token
  %2 = stablehlo.create_token : !stablehlo.token
  // CHECK: stablehlo.after_all %{{.*}}, %arg2 : !stablehlo.token
  %3 = stablehlo.after_all %2, %k : !stablehlo.token
  return %1, %3 : tensor<i32>, !stablehlo.token
}

// CHECK-LABEL: func.func @quantized
func.func @quantized(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.uniform_quantize %arg0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  // CHECK: stablehlo.constant() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>
  %1 = stablehlo.constant() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  // CHECK: stablehlo.add
  %2 = "stablehlo.add"(%0, %1) : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  // CHECK: stablehlo.uniform_dequantize
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// CHECK-LABEL: func.func @collectives
func.func @collectives(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<ui32>, tensor<ui32>) {
  // CHECK: "stablehlo.all_gather"
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.partition_id : tensor<ui32>
  %3 = stablehlo.partition_id : tensor<ui32>
  // CHECK: stablehlo.replica_id : tensor<ui32>
  %4 = stablehlo.replica_id : tensor<ui32>
  return %2, %3, %4 : tensor<2xf32>, tensor<ui32>, tensor<ui32>
}

// CHECK-LABEL: func.func @old
func.func @old(%x: tensor<2x3xf32>, %c: tensor<f32>, %i: tensor<i32>) -> tensor<2xf32> {
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = "stablehlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:2, 0:2] : (tensor<3x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.slice"(%1) {start_indices = dense<0> : tensor<2xi64>, limit_indices = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<3x2xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.pad %{{.*}}, %arg1, low = [0, 1], high = [0, 0], interior = [0, 0]
  %3 = "stablehlo.pad"(%2, %c) {edge_padding_low = dense<[0, 1]> : tensor<2xi64>, edge_padding_high = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [1] : tensor<2x3xf32>
  %4 = "stablehlo.reverse"(%3) {dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %arg2, %arg2, sizes = [2, 2]
  %5 = "stablehlo.dynamic_slice"(%4, %i, %i) {slice_sizes = dense<2> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.broadcast %{{.*}}, sizes = [4] : (tensor<2x2xf32>) -> tensor<4x2x2xf32>
  %6 = "stablehlo.broadcast"(%5) {broadcast_sizes = dense<4> : tensor<1xi64>} : (tensor<2x2xf32>) -> tensor<4x2x2xf32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %arg1) applies stablehlo.add across dimensions = [0, 1]
  %7 = "stablehlo.reduce"(%6, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x2x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %7 : tensor<2xf32>
}

// CHECK-LABEL: func.func @accuracy
func.func @accuracy(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  // CHECK: stablehlo.tanh %{{.*}} {result_accuracy = #stablehlo.result_accuracy<mode = <HIGHEST>>}
  %1 = "stablehlo.tanh"(%0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
