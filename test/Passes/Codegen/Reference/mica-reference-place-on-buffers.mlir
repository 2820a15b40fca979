// RUN: mica-opt %s --mica-reference-place-on-buffers | FileCheck %s

// A copy of the init, of which the op writes every other element.
// CHECK-LABEL: func.func @stride(
// CHECK-SAME:    %[[X:.*]]: tensor<3xf32>, %[[Y:.*]]: tensor<6xf32>)
// CHECK-DAG:     %[[FROM:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK-DAG:     %[[INIT:.*]] = bufferization.to_buffer %[[Y]] read_only
// CHECK:         %[[TO:.*]] = memref.alloc() {{.*}} : memref<6xf32>
// CHECK:         scf.for
// CHECK:           memref.load %[[INIT]]
// CHECK:           memref.store %{{.*}}, %[[TO]]
// CHECK:         linalg.generic {{.*}} ins(%[[FROM]] : memref<3xf32>) outs(%[[TO]] : memref<6xf32>)
// CHECK:         bufferization.to_tensor %[[TO]] restrict writable
func.func @stride(%x: tensor<3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// A sum in f64, rounded once; a cast in the body rounds where it stands.
// CHECK-LABEL: func.func @sum(
// CHECK:         %[[SUM:.*]] = memref.alloc() {{.*}} : memref<f64>
// CHECK:         linalg.generic {{.*}} outs(%[[SUM]] : memref<f64>)
// CHECK:         ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f64):
// CHECK:           %[[W:.*]] = arith.extf %[[A]] : f32 to f64
// CHECK:           %[[ROUNDED:.*]] = arith.truncf %[[A]] : f32 to f16
// CHECK:           arith.addf
// CHECK-SAME:        : f64
// CHECK:         arith.truncf %{{.*}} : f64 to f32
func.func @sum(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.truncf %a : f32 to f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.addf %0, %2 : f32
    %4 = arith.addf %b, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @elementwise(
// CHECK:         scf.for
// CHECK:           arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
func.func @elementwise(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.select %c, %x, %y : tensor<?xi1>, tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What is returned may be changed, and what is passed on twice would be shared.
// CHECK-LABEL: func.func @constant
// CHECK: bufferization.alloc_tensor() copy(%cst)
func.func @constant() -> tensor<2xi32> {
  %cst = arith.constant dense<[1, 2]> : tensor<2xi32>
  return %cst : tensor<2xi32>
}

// CHECK-LABEL: func.func @twice
// CHECK: %[[FIRST:.*]] = bufferization.alloc_tensor() copy(%[[T:.*]]) : tensor<2xi32>
// CHECK: %[[SECOND:.*]] = bufferization.alloc_tensor() copy(%[[T]]) : tensor<2xi32>
// CHECK: scf.yield %[[FIRST]], %[[SECOND]]
func.func @twice(%x: tensor<2xi32>, %k: i32, %n: index) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<2xi32>, tensor<2xi32>) {
    %t = tensor.from_elements %k, %k : tensor<2xi32>
    scf.yield %t, %t : tensor<2xi32>, tensor<2xi32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
