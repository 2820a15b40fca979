// RUN: mica-opt %s -convert-gpu-to-sim | FileCheck %s

// To nearest, ties away from zero: half of the last digit that stays is added to the magnitude. A NaN stays one.
// CHECK: %[[B:.*]] = arith.bitcast %[[V:.*]] : f32 to i32
// CHECK: %[[S:.*]] = arith.addi %[[B]], %c4096_i32
// CHECK: %[[N:.*]] = arith.andi %[[S]], %c-8192_i32
// CHECK: %[[U:.*]] = arith.cmpf uno, %[[V]], %[[V]] : f32
// CHECK: arith.select %[[U]], %c2147475456_i32, %[[N]]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%v: f32, %o: memref<i32>) kernel {
      %r = nvvm.convert.float.to.tf32 %v {rnd = #nvvm.fp_rnd_mode<rna>}
      memref.store %r, %o[] : memref<i32>
      gpu.return
    }
  }
  func.func @host(%n: index, %v: f32, %o: memref<i32>) {
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%v : f32, %o : memref<i32>)
    return
  }
}
