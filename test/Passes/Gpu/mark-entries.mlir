// RUN: mica-opt %s -pass-pipeline='builtin.module(gpu.module(mica-gpu-mark-entries))' | FileCheck %s

// CHECK:     llvm.func @relu_0() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>}
// CHECK:     llvm.func @helper() {
gpu.module @device {
  llvm.func @relu_0() attributes {gpu.known_block_size = array<i32: 256, 1, 1>, mica_gpu.entry} {
    llvm.return
  }
  llvm.func @helper() {
    llvm.return
  }
}
