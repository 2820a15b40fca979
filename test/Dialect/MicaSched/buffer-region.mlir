// RUN: mica-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @copies_the_middle
// CHECK: mica_sched.buffer_region reads(%{{.*}} : tensor<4xf32>) updates(%{{.*}} : tensor<4xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>):
// CHECK: } -> tensor<4xf32>
func.func @copies_the_middle(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = mica_sched.buffer_region reads(%x : tensor<4xf32>) updates(%y : tensor<4xf32>) {
  ^bb0(%from: memref<4xf32>, %to: memref<4xf32>):
    affine.for %i = 1 to 3 {
      %0 = memref.load %from[%i] : memref<4xf32>
      memref.store %0, %to[%i] : memref<4xf32>
    }
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @runs_on_the_host
// CHECK: mica_sched.buffer_region host reads
func.func private @printMemrefF32(memref<*xf32>)
func.func @runs_on_the_host(%x: tensor<4xf32>) {
  mica_sched.buffer_region host reads(%x : tensor<4xf32>) {
  ^bb0(%m: memref<4xf32>):
    %u = memref.cast %m : memref<4xf32> to memref<*xf32>
    func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  }
  return
}
