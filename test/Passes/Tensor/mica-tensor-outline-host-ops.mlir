// RUN: mica-opt %s --split-input-file --pass-pipeline='builtin.module(mica-tensor-outline-host-ops{ops=3})' --verify-diagnostics | FileCheck %s

// The op, and what uses the complex number; the constant is copied.
// CHECK-LABEL: func.func @scalar
//       CHECK:   %[[S:.*]] = call @host_complex_create(%{{.*}}) : (f32) -> f32
//       CHECK:   %[[T:.*]] = tensor.splat %[[S]]
//       CHECK:   arith.addf %{{.*}}, %[[T]]
//       CHECK: func.func private @host_complex_create(%[[A:.*]]: f32) -> f32 attributes {mica_sched.host_op}
//       CHECK:   %[[K:.*]] = arith.constant 2.0
//       CHECK:   %[[Z:.*]] = complex.create %[[A]], %[[K]]
//       CHECK:   %[[R:.*]] = complex.abs %[[Z]]
//       CHECK:   return %[[R]]
func.func @scalar(%x: tensor<4xf32>, %a: f32) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %z = complex.create %a, %two : complex<f32>
  %r = complex.abs %z : complex<f32>
  %s = tensor.splat %r : tensor<4xf32>
  %y = arith.addf %x, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What is behind one op of the group and before another goes with it, what is only behind one does not; a tensor is
// returned in memory of its own.
// CHECK-LABEL: func.func @between
//       CHECK:   %[[R:.*]]:3 = call @host_complex_create(%{{.*}}, %{{.*}}) : (f32, tensor<4xf32>) -> (f32, tensor<4xf32>, f32)
//       CHECK:   arith.mulf %[[R]]#0
//       CHECK:   arith.mulf %[[R]]#1
//       CHECK: func.func private @host_complex_create
//       CHECK:   complex.re
//       CHECK:   %[[Y:.*]] = arith.addf
//       CHECK:   complex.create
//       CHECK:   %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[Y]])
//       CHECK:   return %{{.*}}, %[[COPY]], %{{.*}}
func.func @between(%x: tensor<4xf32>, %a: f32) -> (f32, tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %z = complex.create %a, %a : complex<f32>
  %f = complex.re %z : complex<f32>
  %only = arith.mulf %f, %f : f32
  %t = tensor.splat %f : tensor<4xf32>
  %y = arith.addf %t, %x : tensor<4xf32>
  %e = tensor.extract %y[%c0] : tensor<4xf32>
  %w = complex.create %e, %e : complex<f32>
  %p = complex.mul %w, %z : complex<f32>
  %q = complex.abs %p : complex<f32>
  %k = arith.mulf %y, %y : tensor<4xf32>
  return %only, %k, %q : f32, tensor<4xf32>, f32
}

// -----

// expected-error @+1 {{no op of function '@nothing' is left for a kernel}}
func.func @nothing(%a: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %z = complex.create %a, %two : complex<f32>
  %r = complex.abs %z : complex<f32>
  return %r : f32
}

// -----

func.func private @part(%z: complex<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  // expected-error @+1 {{a host function cannot take a value of type 'complex<f32>'}}
  %r = complex.abs %z : complex<f32>
  %s = tensor.splat %r : tensor<4xf32>
  %w = arith.addf %y, %s : tensor<4xf32>
  return %w : tensor<4xf32>
}
