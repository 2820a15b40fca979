// RUN: mica-opt %s --mica-tensor-resolve-globals | FileCheck %s

// CHECK-NOT: @seed
ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>
// CHECK-NOT: @unused
ml_program.global private mutable @unused(dense<0> : tensor<i64>) : tensor<i64>
// A global somebody stores to stays.
// CHECK: ml_program.global private mutable @state
ml_program.global private mutable @state(dense<0> : tensor<i64>) : tensor<i64>

// CHECK-LABEL: func.func @loads_become_values
func.func @loads_become_values(%x: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  // CHECK: %[[SEED:.*]] = arith.constant dense<7> : tensor<i64>
  %0 = ml_program.global_load @seed : tensor<i64>
  ml_program.global_store @state = %x : tensor<i64>
  // CHECK: %[[STATE:.*]] = ml_program.global_load @state
  %1 = ml_program.global_load @state : tensor<i64>
  // CHECK: return %[[SEED]], %[[STATE]]
  return %0, %1 : tensor<i64>, tensor<i64>
}
