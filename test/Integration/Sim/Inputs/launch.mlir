module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<4xf32>) workgroup(%s: memref<FLOATSxf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      memref.store %v, %s[%c0] : memref<FLOATSxf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %large = arith.constant LARGE : index
    %x = memref.alloc() : memref<4xf32>
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
    // The position that reports name.
    gpu.launch_func @kernels::@kernel blocks in (GRID) threads in (BLOCK) args(%x : memref<4xf32>)
    return
  }
}
