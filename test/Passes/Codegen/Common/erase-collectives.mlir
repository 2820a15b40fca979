// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-codegen-erase-collectives))' | FileCheck %s

// The runtime performs the exchange.

// CHECK-LABEL: func.func @k
// CHECK-NEXT: return
func.func @k(%x: memref<8xf32>, %y: memref<8xf32>) {
  mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf32> on [4] axes [0] reduction sum
  return
}
