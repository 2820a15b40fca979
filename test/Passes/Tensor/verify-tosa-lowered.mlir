// RUN: mica-opt %s -split-input-file -mica-tensor-verify-tosa-lowered -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @unused_constants_go()
// CHECK-NEXT: return
func.func @unused_constants_go() {
  %0 = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = "tosa.const"() <{values = dense<2.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %2 = tosa.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @every_operation_left_is_named(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{'tosa.exp' op has no lowering to mica, linalg, tensor, arith or scf}}
  // expected-note @+1 {{must be constants}}
  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+2 {{'tosa.log' op has no lowering to mica, linalg, tensor, arith or scf}}
  // expected-note @+1 {{must be constants}}
  %1 = tosa.log %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
