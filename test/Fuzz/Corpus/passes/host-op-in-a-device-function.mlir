// PIPELINE: mica-phase-input{host-ops=16} ; mica-gpu-lower-checks ; mica-gpu-lower-checks
module @k attributes {gpu.container_module} {
  func.func @k(%arg0: memref<?xf32>) attributes {mica_check.level = "safe", mica_check.sites = 64 : i64} {
    %c64 = arith.constant 64 : index
    gpu.launch_func  @device::@k_0 blocks in (%c64, %c64, %c64) threads in (%c64, %c64, %c64)  args(%arg0 : memref<?xf32>)
    gpu.launch_func  @device::@k_1 blocks in (%c64, %c64, %c64) threads in (%c64, %c64, %c64)  args(%arg0 : memref<?xf32>)
    return
  }
  gpu.module @device {
    gpu.func @k_0(%arg0: memref<?xf32>) kernel {
      %thread_id_x = gpu.thread_id  x
      %0 = mica_check.in_bounds %arg0[%thread_id_x] : memref<?xf32>
      scf.if %0 {
        %1 = memref.load %arg0[%thread_id_x] : memref<?xf32>
        memref.store %1, %arg0[%thread_id_x] : memref<?xf32>
      } else {
        mica_check.out_of_bounds load %arg0[%thread_id_x] {site = 0 : i64} : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @k_1(%arg0: memref<?xf32>) kernel {
      gpu.return
    }
  }
}