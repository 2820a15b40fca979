// RUN: mica-opt %s --mica-phase-dispatch | FileCheck %s

// A product is a multiplication and an addition per point of its loops; what it starts from is free, the exponential behind it
// is one more per element.
// CHECK-DAG: module @matmul_exp_4x8x5xf32 attributes {mica_sched.flops = 352 : i64
func.func @product_and_what_is_fused(%a: tensor<4x5xf32>, %b: tensor<5x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.matmul %a, %b : (tensor<4x5xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  %1 = mica.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-DAG: module @transpose_8x4xf32 attributes {mica_sched.flops = 0 : i64
func.func @movement_is_free(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = mica.transpose %a permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-DAG: module @add_7xi32 attributes {mica_sched.flops = 0 : i64
func.func @integers_do_not_count(%a: tensor<7xi32>) -> tensor<7xi32> {
  %0 = mica.add %a, %a : tensor<7xi32>
  return %0 : tensor<7xi32>
}

// CHECK-DAG: module @exp_dxf32 attributes {mica_sched.hash
func.func @unknown_before_it_runs(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.exp %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
