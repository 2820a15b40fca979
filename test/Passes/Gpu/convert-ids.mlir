// RUN: mica-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(mica-gpu-convert-ids))' | FileCheck %s

// CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 256> : i32
// CHECK: nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK: arith.index_castui %{{.*}} : i32 to index
gpu.module @device {
  func.func @k(%a: memref<?x?xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %j = gpu.block_id y
    memref.store %v, %a[%i, %j] : memref<?x?xf32>
    return
  }
}

// -----

gpu.module @device {
  func.func @k() {
    // expected-error @+1 {{'gpu.barrier' op has no code for NVIDIA's GPUs here}}
    gpu.barrier
    return
  }
}
