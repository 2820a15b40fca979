// RUN: mica-opt %s --convert-gpu-to-sim -split-input-file | FileCheck %s

// What a thread asks is a call of a marker; workgroup memory has a place in that of the block.
// CHECK-DAG: func.func private @mica_sim_point_0() attributes {mica_sim.point = array<i32: 1, 0, 0, 0, 0, 0>}
// CHECK-DAG: func.func private @mica_sim_lane_3() -> index attributes {mica_sim.lane = 3 : i32}
// CHECK-LABEL: func.func private @mica_sim_kernel_m_k(
// CHECK-SAME: mica_sim.kernel = "k"
// CHECK-SAME: mica_sim.sites = ["gpu.barrier at {{.*}}convert-gpu-to-sim.mlir:{{.*}}"]
// CHECK-SAME: mica_sim.workgroup_bytes = 128 : i64
// CHECK: %[[BASE:.*]] = call @mica_sim_uniform_12()
// CHECK: %[[T:.*]] = call @mica_sim_lane_3()
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[T]]] : memref<32xf32, 3>
// CHECK: call @mica_sim_point_0()
// CHECK-LABEL: func.func @host(
// CHECK: call @mica_sim_launch_k_{{[0-9]+}}(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%v: f32) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.lane_id
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      gpu.return
    }
  }
  func.func @host(%n: index, %v: f32) {
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%v : f32)
    return
  }
}

// -----

// Memory of the device is the host's; what is asynchronous is done at once.
// CHECK-LABEL: func.func @copies
// CHECK: %[[ADDRESS:.*]] = call @mica_sim_host_alloc(
// CHECK: memref.copy %{{.*}}, %{{.*}}
// CHECK: call @mica_sim_host_copied(
// CHECK: call @mica_sim_host_dealloc(
// CHECK-NOT: gpu.
func.func @copies(%x: memref<8xf32>) {
  %0 = gpu.wait async
  %d, %1 = gpu.alloc async [%0] () : memref<8xf32>
  %2 = gpu.memcpy async [%1] %d, %x : memref<8xf32>, memref<8xf32>
  %3 = gpu.dealloc async [%2] %d : memref<8xf32>
  gpu.wait [%3]
  return
}
