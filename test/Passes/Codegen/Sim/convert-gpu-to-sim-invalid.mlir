// RUN: mica-opt %s --convert-gpu-to-sim -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @clusters {
    gpu.func @k() kernel {
      // expected-error @+1 {{'gpu.cluster_id' op is not simulated}}
      %0 = gpu.cluster_id x
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @barriers_of_hopper {
    gpu.func @k() kernel {
      // expected-error @+1 {{'nvgpu.mbarrier.create' op is not simulated}}
      %0 = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @unknown_intrinsics {
    gpu.func @k() kernel {
      // expected-error @+1 {{'nvvm.cp.async.wait.group' op is not simulated}}
      nvvm.cp.async.wait.group 0
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
