// RUN: mica-opt %s --mica-reference-hide-functions -split-input-file -verify-diagnostics | FileCheck %s

// What callers of an artifact can pass stays public; what only the program calls becomes private.
// CHECK: func.func @passable(
func.func @passable(%t: tensor<4xf32>, %m: memref<?xf32>, %x: i32) -> tensor<4xf32> {
  %v = arith.constant dense<1.0> : vector<2xf32>
  call @vectors(%v) : (vector<2xf32>) -> ()
  return %t : tensor<4xf32>
}
// CHECK: func.func private @vectors(
func.func @vectors(%v: vector<2xf32>) {
  return
}

// -----

// A program that runs by itself has no other callers.
// CHECK: func.func private @unranked(
func.func @unranked(%m: memref<*xf32>) {
  return
}
// CHECK: func.func @main(
func.func @main() {
  return
}

// -----

// expected-error @+1 {{entry 'numbers' takes or returns a value of type 'tensor<2xcomplex<f32>>', which callers cannot pass}}
func.func @numbers(%t: tensor<2xcomplex<f32>>) {
  return
}
