// RUN: mica-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(mica-gpu-convert-ids-to-nvvm))' | FileCheck %s

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

// What threads exchange has 32 bits; what has more does so in two steps, what has fewer is widened.
// CHECK-LABEL: func.func @exchange(
// CHECK:         nvvm.barrier0
// CHECK:         nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
// CHECK:         arith.bitcast %{{.*}} : f16 to i16
// CHECK:         arith.extui %{{.*}} : i16 to i32
// CHECK:         nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
// CHECK:         arith.bitcast %{{.*}} : i16 to f16
// CHECK-COUNT-2: nvvm.shfl.sync down
// CHECK:         arith.bitcast %{{.*}} : i64 to f64
// CHECK-NOT:     gpu.shuffle
gpu.module @device {
  func.func @exchange(%h: f16, %d: f64, %a: memref<32xf16>, %b: memref<32xf64>) {
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    gpu.barrier
    %lane = gpu.lane_id
    %0, %v0 = gpu.shuffle xor %h, %c1, %c32 : f16
    memref.store %0, %a[%lane] : memref<32xf16>
    %1, %v1 = gpu.shuffle down %d, %c1, %c32 : f64
    memref.store %1, %b[%lane] : memref<32xf64>
    return
  }
}

// -----

gpu.module @device {
  func.func @k(%v: i32) {
    // expected-error @+1 {{'gpu.all_reduce' op has no code for NVIDIA's GPUs here; ids and sizes of blocks and threads, barriers and shuffles have}}
    %0 = gpu.all_reduce add %v {} : (i32) -> (i32)
    return
  }
}

// -----

gpu.module @device {
  func.func @k(%v: vector<2xi32>, %c: i32) {
    // expected-error @+1 {{'gpu.shuffle' op has no code for values of 'vector<2xi32>'; of up to 32 or 64 bits it has}}
    %0, %valid = gpu.shuffle xor %v, %c, %c : vector<2xi32>
    return
  }
}
