// MUTATION: stays green, the pass leaves such a program.
// RUN: mica-opt %s --mica-tensor-raise-memref-to-tensor | FileCheck %s

// A program of a later phase has its buffers where they are to be.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %{{.*}}: memref<4xf32>) -> memref<4xf32>
// CHECK:         memref.store
module {
  module @k attributes {mica_sched.kernel} {
    func.func @k(%x: memref<4xf32> {mica_sched.access = "read"}) {
      return
    }
  }
  func.func @forward(%x: memref<4xf32>) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %x[%c0] : memref<4xf32>
    return %x : memref<4xf32>
  }
}
