// Valid programs that take more than one step to convert: what they print is right, and nothing is reported.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: mica-run --target=sim reduce-in-loop.mlir 2>&1 | FileCheck reduce-in-loop.mlir
// RUN: mica-run --target=sim storage-class.mlir 2>&1 | FileCheck storage-class.mlir
// RUN: mica-run --target=sim alloc-in-kernel.mlir 2>&1 | FileCheck alloc-in-kernel.mlir
// RUN: mica-run --target=sim shuffles.mlir 2>&1 | FileCheck shuffles.mlir

//--- reduce-in-loop.mlir
// CHECK: [4096,  4096,  4096

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<256xf32>, %y: memref<256xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %one) -> f32 {
        %s = gpu.all_reduce add %a {} : (f32) -> (f32)
        scf.yield %s : f32
      }
      memref.store %r, %y[%t] : memref<256xf32>
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>)
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %x = memref.alloc() : memref<256xf32>
    %y = memref.alloc() : memref<256xf32>
    linalg.fill ins(%one : f32) outs(%x : memref<256xf32>)
    linalg.fill ins(%one : f32) outs(%y : memref<256xf32>)
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%x : memref<256xf32>, %y : memref<256xf32>)
    %v = memref.subview %y[0][8][1] : memref<256xf32> to memref<8xf32, strided<[1]>>
    %u = memref.cast %v : memref<8xf32, strided<[1]>> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }
}

//--- storage-class.mlir
// CHECK: [1,  1,  1

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<256xf32>, %y: memref<256xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<32xf32, #spirv.storage_class<Workgroup>>
      memref.store %one, %a[%t] : memref<32xf32, #spirv.storage_class<Workgroup>>
      gpu.barrier
      %v = memref.load %a[%t] : memref<32xf32, #spirv.storage_class<Workgroup>>
      memref.store %v, %y[%t] : memref<256xf32>
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>)
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %x = memref.alloc() : memref<256xf32>
    %y = memref.alloc() : memref<256xf32>
    linalg.fill ins(%one : f32) outs(%x : memref<256xf32>)
    linalg.fill ins(%one : f32) outs(%y : memref<256xf32>)
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%x : memref<256xf32>, %y : memref<256xf32>)
    %v = memref.subview %y[0][8][1] : memref<256xf32> to memref<8xf32, strided<[1]>>
    %u = memref.cast %v : memref<8xf32, strided<[1]>> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }
}

//--- alloc-in-kernel.mlir
// CHECK: [1,  1,  1

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<256xf32>, %y: memref<256xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<4xf32>
      memref.store %one, %a[%c0] : memref<4xf32>
      %v = memref.load %a[%c0] : memref<4xf32>
      memref.store %v, %y[%t] : memref<256xf32>
      memref.dealloc %a : memref<4xf32>
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>)
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %x = memref.alloc() : memref<256xf32>
    %y = memref.alloc() : memref<256xf32>
    linalg.fill ins(%one : f32) outs(%x : memref<256xf32>)
    linalg.fill ins(%one : f32) outs(%y : memref<256xf32>)
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%x : memref<256xf32>, %y : memref<256xf32>)
    %v = memref.subview %y[0][8][1] : memref<256xf32> to memref<8xf32, strided<[1]>>
    %u = memref.cast %v : memref<8xf32, strided<[1]>> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }
}

//--- shuffles.mlir
// An offset is read modulo 32, as by shfl.sync; one that is not below the width names no lane.
// CHECK-DAG: [3,  4,  5,  6,  7,  8,  9,  10]
// CHECK-DAG: gpu.shuffle at shuffles.mlir:{{[0-9:]+}} reads its offset 35 as 3, as a device does
// CHECK-DAG: gpu.shuffle at shuffles.mlir:{{[0-9:]+}} reads no lane, as offset 9 is not below width 8: each thread keeps its value

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<256xf32>, %y: memref<256xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %off = arith.constant 35 : i32
      %w = arith.constant 32 : i32
      %i = arith.index_cast %t : index to i32
      %f = arith.sitofp %i : i32 to f32
      %v, %ok = gpu.shuffle idx %f, %off, %w : f32
      %o8 = arith.constant 9 : i32
      %w8 = arith.constant 8 : i32
      %u, %valid = gpu.shuffle idx %f, %o8, %w8 : f32
      %w1 = arith.addf %v, %u : f32
      memref.store %w1, %y[%t] : memref<256xf32>
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>)
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %x = memref.alloc() : memref<256xf32>
    %y = memref.alloc() : memref<256xf32>
    linalg.fill ins(%one : f32) outs(%x : memref<256xf32>)
    linalg.fill ins(%one : f32) outs(%y : memref<256xf32>)
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%x : memref<256xf32>, %y : memref<256xf32>)
    %v = memref.subview %y[0][8][1] : memref<256xf32> to memref<8xf32, strided<[1]>>
    %u = memref.cast %v : memref<8xf32, strided<[1]>> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }
}
