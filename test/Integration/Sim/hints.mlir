// Columns of a row-major tile lie in one bank, and columns of a matrix in different sectors; a barrier that orders nothing can go.
// RUN: mica-run --target=sim --mica-debug=sim-check=bank+coalescing+barrier-use %s 2>&1 | FileCheck %s

// CHECK-DAG: bank: memref.store at hints.mlir:[[#@LINE+20]]:{{[0-9]+}}: 1 requests of warps take 32 passes through the banks of workgroup memory, 1 without conflicts
// CHECK-DAG: coalescing: memref.load at hints.mlir:[[#@LINE+17]]:{{[0-9]+}}: 1 requests of warps take 32 transactions of 32 bytes, 4 if
// CHECK-DAG: barrier-use: gpu.barrier at hints.mlir:[[#@LINE+23]]:{{[0-9]+}} is redundant in this launch
// CHECK-NOT: memref.store at hints.mlir:[[#@LINE+18]]
// CHECK-NOT: gpu.barrier at hints.mlir:[[#@LINE+18]]

#ws = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @transpose(%x: memref<32x32xf32>, %y: memref<32xf32>)
        workgroup(%tile: memref<32x32xf32, #ws>, %line: memref<32xf32, #ws>) kernel {
      %c0 = arith.constant 0 : index
      %c31 = arith.constant 31 : index
      %t = gpu.thread_id x
      %r = arith.subi %c31, %t : index


      %v = memref.load %x[%t, %c0] : memref<32x32xf32>

      memref.store %v, %tile[%t, %c0] : memref<32x32xf32, #ws>
      memref.store %v, %line[%t] : memref<32xf32, #ws>
      gpu.barrier
      %w = memref.load %line[%r] : memref<32xf32, #ws>
      memref.store %w, %y[%t] : memref<32xf32>
      gpu.barrier
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %x = memref.alloc() {alignment = 64 : i64} : memref<32x32xf32>
    %y = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    linalg.fill ins(%one : f32) outs(%x : memref<32x32xf32>)
    gpu.launch_func @kernels::@transpose blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<32x32xf32>, %y : memref<32xf32>)
    return
  }
}
