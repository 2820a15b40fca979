// RUN: mica-opt %s --mica-reference-lower-host-functions=functions=f,part | FileCheck %s

// What no kernel takes, with what it calls, and its large constants first among the program's. What others call stays.

// CHECK:      module attributes {mica_sched.constants = [dense<{{.*}}> : tensor<65xf32>]}
// CHECK-NOT:  @f(
// CHECK-NOT:  @part(
// CHECK:      func.func private @both(
// CHECK:      func.func @kept(
// CHECK:        call @both(
// CHECK:      mica_sched.host_functions {{\[\[}}"f", (f32) -> (f32, tensor<65xf32>), [{mica.name = "given"}], [{}, {}]{{\]\]}} {
// CHECK-DAG:    llvm.func @mica_plain_both(
// CHECK-DAG:    llvm.func @mica_entry_f(

func.func private @part(%x: f32) -> f32 {
  %c = complex.create %x, %x : complex<f32>
  %0 = complex.abs %c : complex<f32>
  return %0 : f32
}
func.func private @both(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}
func.func @f(%x: f32 {mica.name = "given"}) -> (f32, tensor<65xf32>) {
  %0 = call @part(%x) : (f32) -> f32
  %1 = call @both(%0) : (f32) -> f32
  %w = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0]> : tensor<65xf32>
  return %1, %w : f32, tensor<65xf32>
}
func.func @kept(%x: f32) -> f32 {
  %0 = call @both(%x) : (f32) -> f32
  return %0 : f32
}
