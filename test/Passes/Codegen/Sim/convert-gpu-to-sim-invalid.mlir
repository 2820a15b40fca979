// RUN: mica-opt %s --convert-gpu-to-sim -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @clusters {
    gpu.func @k() kernel {
      // expected-error @+1 {{'nvvm.cluster.arrive' op is not simulated}}
      nvvm.cluster.arrive
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @multicast {
    gpu.func @k(%map: !llvm.ptr, %at: i64, %mask: i16) kernel {
      %c0 = arith.constant 0 : i32
      %tile = llvm.inttoptr %at : i64 to !llvm.ptr<7>
      %bar = llvm.inttoptr %at : i64 to !llvm.ptr<3>
      // expected-error @+1 {{is not simulated: of loads of tensors, those of tiles to the block's own memory are}}
      nvvm.cp.async.bulk.tensor.shared.cluster.global %tile, %map, %bar, box[%c0] multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @bits {
    gpu.func @k(%at: i64) kernel {
      %sums = llvm.mlir.poison : !llvm.struct<(i32, i32, i32, i32)>
      // expected-error @+1 {{is not simulated: inputs are f16, bf16, tf32, e4m3, e5m2, s8 or u8}}
      %r = nvvm.wgmma.mma_async %at, %at, %sums, <m = 64, n = 8, k = 256>, D[<s32>, <one>], A[<b1>, <one>, <row>], B[<b1>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @unknown_intrinsics {
    gpu.func @k() kernel {
      // expected-error @+1 {{'nvvm.read.ptx.sreg.clock' op is not simulated}}
      %0 = nvvm.read.ptx.sreg.clock : i32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @elsewhere()
  func.func @missing_kernel(%n: index) {
    // expected-error @+1 {{launches 'm::k', which no gpu.module of the program has}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @m {
    llvm.func @k() attributes {gpu.kernel} {
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4xf32, "far">, %i: index) kernel {
      %v = arith.constant 1.0 : f32
      // expected-error @+1 {{memory space "far" is not simulated; those of gpu.address_space, of spirv.storage_class, and NVVM's numbers are}}
      memref.store %v, %x[%i] : memref<4xf32, "far">
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4x4xf32>, %i: index) kernel {
      // expected-error @+1 {{is not simulated: the elements of a matrix do not divide evenly among the 32 threads of a warp}}
      %m = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 4 : index} : memref<4x4xf32> -> !gpu.mma_matrix<4x4xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<64xvector<2xf32>>, %i: index) kernel {
      // expected-error @+1 {{is not simulated: of matrices of a subgroup, products of f16, f32 (tf32), f64 and i8 are, whose operands of a thread take 576 bytes, and memory has their element type}}
      %m = gpu.subgroup_mma_load_matrix %x[%i] {leadDimension = 8 : index} : memref<64xvector<2xf32>> -> !gpu.mma_matrix<8x16xf32, "COp">
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @main(%n: index) {
    gpu.launch_func @m::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @m {
    gpu.func @k() kernel {
      // expected-error @+1 {{is not simulated: clusters have sizes that are constant and the same in all launches of a kernel}}
      %c = gpu.cluster_id x
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: i32) kernel {
      // expected-error @+1 {{is not simulated: of barriers, those that reduce nothing are}}
      %r = nvvm.barrier #nvvm.reduction<popc> %x -> i32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    // expected-error @+1 {{launches a grid of 3 blocks in clusters of 2; a grid has whole clusters}}
    gpu.launch_func @m::@k clusters in (%c2, %c1, %c1) blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}
