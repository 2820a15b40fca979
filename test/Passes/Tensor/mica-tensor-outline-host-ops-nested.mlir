// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-tensor-outline-host-ops{ops=7,9})' | FileCheck %s

// A group that takes the loop takes the group that was found inside of the loop before.
// CHECK-LABEL: func.func @loop
//       CHECK:   call @host_complex_create
//   CHECK-NOT:   scf.for
//       CHECK:   arith.addf
//       CHECK: func.func private @host_complex_create
//       CHECK:   scf.for
//       CHECK:     math.exp
//       CHECK:     complex.abs
//       CHECK:     complex.mul
func.func @loop(%x: tensor<4xf32>, %a: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z0 = complex.create %a, %a : complex<f32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %z = %z0) -> (tensor<4xf32>, complex<f32>) {
    %u = math.exp %t : tensor<4xf32>
    %q = complex.create %a, %a : complex<f32>
    %m = complex.abs %q : complex<f32>
    %w = complex.mul %z, %z : complex<f32>
    %v = tensor.splat %m : tensor<4xf32>
    %s = arith.addf %u, %v : tensor<4xf32>
    scf.yield %s, %w : tensor<4xf32>, complex<f32>
  }
  %y = arith.addf %x, %r#0 : tensor<4xf32>
  return %y : tensor<4xf32>
}
