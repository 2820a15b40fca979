// RUN: mica-opt %s --pass-pipeline='builtin.module(gpu.module(mica-sim-expand-collectives))' | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: gpu.func @subgroup
    // CHECK-COUNT-5: gpu.shuffle
    // CHECK-NOT: gpu.subgroup_reduce
    gpu.func @subgroup(%x: memref<32xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %s = gpu.subgroup_reduce add %v : (f32) -> f32
      memref.store %s, %x[%t] : memref<32xf32>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @block
    // CHECK: gpu.shuffle
    // CHECK: gpu.barrier
    // CHECK-NOT: gpu.all_reduce
    gpu.func @block(%x: memref<32xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %s = gpu.all_reduce add %v {} : (f32) -> (f32)
      memref.store %s, %x[%t] : memref<32xf32>
      gpu.return
    }
  }
}
