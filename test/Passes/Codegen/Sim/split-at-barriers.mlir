// RUN: mica-opt %s --mica-sim-split-at-barriers | FileCheck %s

// A value that lives across a barrier goes through the frame; arithmetic of ids is done again.

llvm.func @mica_sim_point_0() attributes {mica_sim.point = array<i32: 1, 0, 0, 0, 0, 0>, sym_visibility = "private"}
llvm.func @mica_sim_lane_0() -> i64 attributes {mica_sim.lane = 0 : i32, sym_visibility = "private"}

// CHECK-DAG: llvm.mlir.global internal constant @mica_sim_kernel_m_k_points(dense<[0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]>
// CHECK-DAG: llvm.mlir.global internal constant @mica_sim_kernel_m_k_regions
// CHECK-DAG: llvm.mlir.global internal constant @mica_sim_kernel_m_k_kernel

// CHECK-LABEL: llvm.func internal @mica_sim_kernel_m_k_region_0(
// CHECK: %[[LOADED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
// CHECK: llvm.mlir.constant(1 : i16)
// CHECK-LABEL: llvm.func internal @mica_sim_kernel_m_k_region_1(
// CHECK: llvm.fadd
// CHECK: llvm.mlir.constant(-1 : i16)
// CHECK-NOT: @mica_sim_kernel_m_k(
llvm.func @mica_sim_kernel_m_k(%x: !llvm.ptr) attributes {mica_sim.kernel = "k", mica_sim.workgroup_bytes = 0 : i64, mica_sim.sites = ["gpu.barrier"]} {
  %t = llvm.call @mica_sim_lane_0() : () -> i64
  %p = llvm.getelementptr %x[%t] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.call @mica_sim_point_0() : () -> ()
  %w = llvm.fadd %v, %v : f32
  llvm.store %w, %p : f32, !llvm.ptr
  llvm.return
}
