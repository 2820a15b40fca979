// RUN: mica-opt %s --mica-reference-convert-stored-globals -split-input-file -verify-diagnostics | FileCheck %s

// A global that is stored to is a buffer with its initial value; a scalar is one of rank 0.
// CHECK: memref.global "private" @g : memref<2xf32> = dense<[1.500000e+00, -2.000000e+00]>
ml_program.global private mutable @g(dense<[1.5, -2.0]> : tensor<2xf32>) : tensor<2xf32>
// CHECK: memref.global "private" @n : memref<i32> = dense<7>
ml_program.global private mutable @n(7 : i32) : i32
// One that nothing stores to stays.
// CHECK: ml_program.global private mutable @c
ml_program.global private mutable @c(dense<1.0> : tensor<2xf32>) : tensor<2xf32>

// CHECK-LABEL: func.func @f
func.func @f(%t: tensor<2xf32>, %k: i32) -> (tensor<2xf32>, i32) {
  // CHECK: %[[FROM:.*]] = memref.get_global @g
  // CHECK: %[[OLD:.*]] = bufferization.to_tensor %[[FROM]] restrict
  %0 = ml_program.global_load @g : tensor<2xf32>
  // CHECK: %[[TO:.*]] = memref.get_global @g
  // CHECK: %[[NEW:.*]] = bufferization.to_buffer %{{.*}} read_only
  // CHECK: memref.copy %[[NEW]], %[[TO]]
  ml_program.global_store @g = %t : tensor<2xf32>
  // CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<i32>
  ml_program.global_store @n = %k : i32
  // CHECK: memref.load %{{.*}}[] : memref<i32>
  %1 = ml_program.global_load @n : i32
  return %0, %1 : tensor<2xf32>, i32
}

// -----

// expected-error @+1 {{global 'g' of type 'tensor<?xf32>' is stored to; such globals have static shapes}}
ml_program.global private mutable @g(dense<1.0> : tensor<2xf32>) : tensor<?xf32>
func.func @f(%t: tensor<?xf32>) {
  ml_program.global_store @g = %t : tensor<?xf32>
  return
}
