// RUN: mica-opt %s --mica-sim-split-at-barriers | FileCheck %s

// A read of two cells of global memory calls a function of its own, which calls that of Touch.c with constants. It comes along with what it
// calls, and without attributes of the machine that Mica was built on.

// CHECK-LABEL: llvm.func internal @mica_sim_kernel_m_k_region_0(
// CHECK: llvm.call @mica_sim_touch_global_read_8(
// CHECK: llvm.func internal @mica_sim_touch(
// CHECK-SAME: ) -> i32 attributes {always_inline} {
// CHECK: llvm.call {{(tail )?}}@mica_sim_ask(
// CHECK: llvm.func internal @mica_sim_ask(
// CHECK: llvm.mlir.addressof @mica_sim_api
// CHECK: llvm.func internal @mica_sim_touch_global_read_8(
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(8 : i64) : i64
// CHECK-DAG: %[[KIND:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-DAG: %[[GRANULE:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK: llvm.call @mica_sim_touch(%arg0, %arg1, %arg2, %[[BYTES]], %[[KIND]], %arg5, {{.*}}, %[[GRANULE]], %
llvm.func @mica_sim_kernel_m_k(%x: !llvm.ptr) attributes {mica_sim.kernel = "k", mica_sim.workgroup_bytes = 0 : i64, mica_sim.granule = 4 : i32,
                                                          mica_sim.checks = 2 : i32, mica_sim.sites = ["a load"]} {
  %0 = llvm.load %x : !llvm.ptr -> f64
  llvm.store %0, %x : f64, !llvm.ptr
  llvm.return
}
