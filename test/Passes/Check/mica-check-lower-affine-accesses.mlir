// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-lower-affine-accesses))' | FileCheck %s

// CHECK-LABEL: func.func @affine_is_gone
func.func @affine_is_gone(%x: memref<11xf32>, %y: memref<?xf32>, %n: index) -> f32 {
  %f = arith.constant 0.0 : f32
  // CHECK: %[[MOST:.*]] = affine.min #{{.*}}()[%arg2]
  // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[MOST]] step %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32) {
  %r = affine.for %i = 0 to min affine_map<()[s0] -> (10, s0)>()[%n] iter_args(%a = %f) -> f32 {
    // CHECK: %[[J:.*]] = affine.apply #{{.*}}(%[[I]])
    // CHECK: memref.load %arg0[%[[J]]]
    %0 = affine.load %x[%i + 1] : memref<11xf32>
    // CHECK: vector.load %arg1[%[[I]]]
    %1 = affine.vector_load %y[%i] : memref<?xf32>, vector<4xf32>
    // CHECK: vector.store %{{.*}}, %arg1[%[[I]]]
    affine.vector_store %1, %y[%i] : memref<?xf32>, vector<4xf32>
    %2 = arith.addf %a, %0 : f32
    // CHECK: memref.store %{{.*}}, %arg1[%[[I]]]
    affine.store %2, %y[%i] : memref<?xf32>
    // CHECK: scf.yield
    affine.yield %2 : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @condition
func.func @condition(%a: memref<8xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  // CHECK: scf.for %[[I:.*]] =
  affine.for %i = 0 to 8 {
    // CHECK: %[[LEFT:.*]] = affine.apply {{.*}}(%[[I]])[%arg1]
    // CHECK: %[[LESS:.*]] = arith.cmpi sge, %[[LEFT]]
    // CHECK: %[[SAME:.*]] = arith.cmpi eq
    // CHECK: %[[BOTH:.*]] = arith.andi %[[LESS]], %[[SAME]]
    // CHECK: scf.if %[[BOTH]]
    affine.if affine_set<(d0)[s0] : (s0 - d0 >= 0, d0 mod 2 == 0)>(%i)[%n] {
      affine.store %z, %a[%i] : memref<8xf32>
    }
  }
  return
}
