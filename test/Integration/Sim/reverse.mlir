// RUN: mica-run --target=sim %s | FileCheck %s
// Workgroup memory and a barrier: each block reverses its part of a buffer.

// CHECK: [31, 30, 29,
// CHECK-SAME: 63, 62, 61,

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%x: memref<64xf32>) workgroup(%shared: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %n = gpu.block_dim x
      %first = arith.muli %b, %n : index
      %i = arith.addi %first, %t : index
      %v = memref.load %x[%i] : memref<64xf32>
      memref.store %v, %shared[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %c31 = arith.constant 31 : index
      %other = arith.subi %c31, %t : index
      %w = memref.load %shared[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %w, %x[%i] : memref<64xf32>
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>)

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : memref<64xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %x[%i] : memref<64xf32>
    }
    %u = memref.cast %x : memref<64xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    gpu.launch_func @kernels::@reverse blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<64xf32>)
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }
}
