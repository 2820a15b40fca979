// Complex values become pairs, unsigned integers signless ones; attributes that are no elements stay. Tuples, tokens and quantized types vanish.

// RUN: mica-opt %s --legalize-stablehlo-types | FileCheck %s

// CHECK-LABEL: func.func @unsigned(%arg0: tensor<4xi8> {mica.unsigned}, %arg1: tensor<4xi8> {mica.unsigned}) -> (tensor<4xi16> {mica.unsigned})
func.func @unsigned(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui16> {
  // CHECK: stablehlo.maximum %arg0, %arg1 {stablehlo.unsigned = array<i1: true, true, true>} : tensor<4xi8>
  %0 = stablehlo.maximum %x, %y : tensor<4xui8>
  // CHECK: stablehlo.constant {stablehlo.unsigned = array<i1: true>} dense<[1, -56, 3, -1]> : tensor<4xi8>
  %c = stablehlo.constant dense<[1, 200, 3, 255]> : tensor<4xui8>
  // CHECK: check.expect_close {{.*}} {max_ulp_difference = 5 : ui64, stablehlo.unsigned = array<i1: true, true>}
  check.expect_close %0, %c {max_ulp_difference = 5 : ui64} : tensor<4xui8>, tensor<4xui8>
  // CHECK: stablehlo.convert {{.*}} : (tensor<4xi8>) -> tensor<4xi16>
  %1 = stablehlo.convert %0 : (tensor<4xui8>) -> tensor<4xui16>
  return %1 : tensor<4xui16>
}

// CHECK-LABEL: func.func @loop(%arg0: tensor<2xf32> {jax.name = "x"}, %arg1: tensor<2xf32> {jax.name = "x", mica.imaginary}, %arg2: tensor<i32> {jax.name = "n"}) -> (tensor<2xf32>, tensor<2xf32> {mica.imaginary})
func.func @loop(%x: tensor<2xcomplex<f32>> {jax.name = "x"}, %n: tensor<i32> {jax.name = "n"}) -> tensor<2xcomplex<f32>> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: stablehlo.while(%[[I:.*]] = %arg2, %[[RE:.*]] = %arg0, %[[IM:.*]] = %arg1) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  %0:2 = stablehlo.while(%i = %n, %z = %x) : tensor<i32>, tensor<2xcomplex<f32>>
    cond {
    %1 = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    // CHECK: %[[A:.*]] = stablehlo.add %[[RE]], %arg0
    // CHECK: %[[B:.*]] = stablehlo.add %[[IM]], %arg1
    // CHECK: stablehlo.return %{{.*}}, %[[A]], %[[B]]
    %2 = stablehlo.add %z, %x : tensor<2xcomplex<f32>>
    stablehlo.return %1, %2 : tensor<i32>, tensor<2xcomplex<f32>>
  }
  return %0#1 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<2xf64>) -> tensor<2xf64> {
  // CHECK-NOT: complex
  %0 = stablehlo.complex %x, %x : tensor<2xcomplex<f64>>
  %1 = stablehlo.imag %0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  // CHECK: return %arg0
  return %1 : tensor<2xf64>
}

// Tuples become their elements, tokens vanish.
// CHECK-LABEL: func.func @tuples(%arg0: tensor<2xf32>, %arg1: tensor<i32>) -> (tensor<i32>, tensor<2xf32>)
func.func @tuples(%t: tuple<tensor<2xf32>, tuple<tensor<i32>>>, %k: !stablehlo.token) -> (!stablehlo.token, tuple<tensor<i32>, tensor<2xf32>>) {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  // CHECK: %[[R:.*]]:2 = stablehlo.optimization_barrier %arg1, %arg0 : tensor<i32>, tensor<2xf32>
  %2:3 = stablehlo.optimization_barrier %1, %k, %0 : tuple<tensor<i32>>, !stablehlo.token, tensor<2xf32>
  %3 = stablehlo.get_tuple_element %2#0[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %4 = stablehlo.tuple %3, %2#2 : tuple<tensor<i32>, tensor<2xf32>>
  %5 = stablehlo.after_all %2#1, %k : !stablehlo.token
  // CHECK: return %[[R]]#0, %[[R]]#1 : tensor<i32>, tensor<2xf32>
  return %5, %4 : !stablehlo.token, tuple<tensor<i32>, tensor<2xf32>>
}

// CHECK-LABEL: func.func @quantized(%arg0: tensor<2xi8> {mica.unsigned}) -> (tensor<2xi8> {mica.unsigned})
func.func @quantized(%x: tensor<2x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<u8:f32, 0.5:3>> {
  // CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 {stablehlo.unsigned = array<i1: true, false>} : (tensor<2xi8>) -> tensor<2xi32>
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<3> : tensor<2xi32>
  // CHECK: %[[DIFF:.*]] = stablehlo.subtract %[[WIDE]], %[[ZERO]] : tensor<2xi32>
  // CHECK: stablehlo.convert %[[DIFF]] : (tensor<2xi32>) -> tensor<2xf32>
  // CHECK: stablehlo.multiply
  // CHECK: stablehlo.tanh
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.clamp
  // CHECK: %[[ROUND:.*]] = stablehlo.round_nearest_even
  // CHECK: stablehlo.convert %[[ROUND]] {stablehlo.unsigned = array<i1: false, true>} : (tensor<2xf32>) -> tensor<2xi8>
  %0 = stablehlo.tanh %x : tensor<2x!quant.uniform<u8:f32, 0.5:3>>
  return %0 : tensor<2x!quant.uniform<u8:f32, 0.5:3>>
}

// CHECK-LABEL: func.func @alone(%arg0: tensor<2xf32>)
func.func @alone(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<ui32>) {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.all_to_all"(%0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.collective_broadcast"(%1) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[NONE:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<2xf32>
  %3 = "stablehlo.collective_permute"(%2) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[ID:.*]] = stablehlo.constant {{.*}}dense<0> : tensor<i32>
  %4 = stablehlo.replica_id : tensor<ui32>
  // CHECK: return %arg0, %[[NONE]], %[[ID]]
  return %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<ui32>
}

// CHECK-LABEL: func.func @small(%arg0: tensor<2xi4>, %arg1: tensor<2xf32>) -> (tensor<2xi4>, tensor<2xf32>)
func.func @small(%x: tensor<2xi2>, %y: tensor<2xf8E4M3FNUZ>) -> (tensor<2xi2>, tensor<2xf8E4M3FNUZ>) {
  // CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %arg0 : tensor<2xi4>
  // CHECK: %[[UP:.*]] = stablehlo.shift_left %[[SUM]], %[[TWO:.*]] : tensor<2xi4>
  // CHECK: %[[LOW:.*]] = stablehlo.shift_right_arithmetic %[[UP]], %[[TWO]] : tensor<2xi4>
  %0 = stablehlo.add %x, %x : tensor<2xi2>
  // CHECK: stablehlo.add %arg1, %arg1 : tensor<2xf32>
  // CHECK: stablehlo.round_nearest_even
  // CHECK: stablehlo.constant dense<2.400000e+02> : tensor<2xf32>
  // CHECK: %[[R:.*]] = stablehlo.select
  %1 = stablehlo.add %y, %y : tensor<2xf8E4M3FNUZ>
  // CHECK: %[[BACK:.*]] = stablehlo.reverse %[[R]], dims = [0] : tensor<2xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2xf8E4M3FNUZ>
  // CHECK: return %[[LOW]], %[[BACK]]
  return %0, %2 : tensor<2xi2>, tensor<2xf8E4M3FNUZ>
}
