// A kernel of the program's own; the entry has a constant, and names for what it takes and gives.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%x: memref<100xf32>, %w: memref<100xf32>, %n: index) kernel {
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %d = gpu.block_dim x
      %f = arith.muli %b, %d : index
      %i = arith.addi %f, %t : index
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %v = memref.load %x[%i] : memref<100xf32>
        %s = memref.load %w[%i] : memref<100xf32>
        %r = arith.mulf %v, %s : f32
        memref.store %r, %x[%i] : memref<100xf32>
      }
      gpu.return
    }
  }
  func.func @main(%x: tensor<100xf32> {mica.name = "rows"}, %n: index loc("count")) -> (tensor<100xf32> {mica.name = "scaled"}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %w = arith.constant dense<0.25> : tensor<100xf32>
    %a = bufferization.to_buffer %x read_only : tensor<100xf32> to memref<100xf32>
    %b = memref.alloc() : memref<100xf32>
    memref.copy %a, %b : memref<100xf32> to memref<100xf32>
    %m = bufferization.to_buffer %w read_only : tensor<100xf32> to memref<100xf32>
    gpu.launch_func @kernels::@scale blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1) args(%b : memref<100xf32>, %m : memref<100xf32>, %n : index)
    %r = bufferization.to_tensor %b restrict writable : memref<100xf32> to tensor<100xf32>
    return %r : tensor<100xf32>
  }
}
