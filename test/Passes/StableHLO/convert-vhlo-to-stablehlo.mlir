// Versioned ops become those of stablehlo and func: structs are put together, defaults left out, and names of functions are symbols.

// RUN: mica-opt %s --convert-vhlo-to-stablehlo | FileCheck %s

// CHECK: func.func public @main(%[[X:.*]]: tensor<2x3xf32> {jax.arg_info = "x"}, %[[I:.*]]: tensor<2x1xi32>) -> tensor<2x2xf32>
"vhlo.func_v1"() ({
^bb0(%x: tensor<2x3xf32>, %i: tensor<2x1xi32>):
  // CHECK: %[[E:.*]] = stablehlo.exponential %[[X]] : tensor<2x3xf32>
  %0 = "vhlo.exponential_v2"(%x) {result_accuracy = #stablehlo.result_accuracy<mode = <DEFAULT>>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[D:.*]] = stablehlo.dot_general %[[E]], %[[X]], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = "vhlo.dot_general_v2"(%0, %x) {
    lhs_batching_dimensions = dense<> : tensor<0xi64>, rhs_batching_dimensions = dense<> : tensor<0xi64>,
    lhs_contracting_dimensions = dense<1> : tensor<1xi64>, rhs_contracting_dimensions = dense<1> : tensor<1xi64>,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], accumulation_type = none,
    lhs_precision_type = none, rhs_precision_type = none, lhs_component_count = -1 : i64, rhs_component_count = -1 : i64,
    num_primitive_operations = -1 : i64, allow_imprecise_accumulation = false
  } : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  // CHECK: %[[G:.*]] = "stablehlo.gather"(%[[D]], %[[I]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  // CHECK-SAME: slice_sizes = array<i64: 1, 2>}>
  %2 = "vhlo.gather_v1"(%1, %i) {
    offset_dims = dense<1> : tensor<1xi64>, collapsed_slice_dims = dense<0> : tensor<1xi64>, start_index_map = dense<0> : tensor<1xi64>,
    index_vector_dim = 1 : i64, slice_sizes = dense<[1, 2]> : tensor<2xi64>, indices_are_sorted = false
  } : (tensor<2x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  // CHECK: %[[C:.*]] = call @helper(%[[G]])
  %3 = "vhlo.call_v1"(%2) {callee = "helper"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: return %[[C]]
  "vhlo.return_v1"(%3) : (tensor<2x2xf32>) -> ()
}) {sym_name = "main", function_type = (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>, sym_visibility = "public",
    arg_attrs = [{jax.arg_info = "x"}, {}], res_attrs = []} : () -> ()

// CHECK: func.func private @helper
"vhlo.func_v1"() ({
^bb0(%x: tensor<2x2xf32>):
  %zero = "vhlo.constant_v1"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0]
  %0 = "vhlo.reduce_v1"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "vhlo.add_v1"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "vhlo.return_v1"(%s) : (tensor<f32>) -> ()
  }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [1]
  %1 = "vhlo.broadcast_in_dim_v1"(%0) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.compare LT, %{{.*}}, %[[B]] : (
  %2 = "vhlo.compare_v1"(%x, %1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type NOTYPE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  // CHECK: stablehlo.custom_call @f(%{{.*}}) {called_computations = [@helper]} :
  %3 = "vhlo.custom_call_v1"(%1) {call_target_name = "f", has_side_effect = false, backend_config = "", api_version = 1 : i32,
    called_computations = ["helper"], operand_layouts = [], result_layouts = [], output_operand_aliases = []} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  "vhlo.return_v1"(%3) : (tensor<2x2xf32>) -> ()
}) {sym_name = "helper", function_type = (tensor<2x2xf32>) -> tensor<2x2xf32>, sym_visibility = "private", arg_attrs = [], res_attrs = []} : () -> ()
