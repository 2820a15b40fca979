// RUN: mica-opt %s --mica-sim-split-at-barriers | FileCheck %s

// What the check `alignment` asks of an address: what its access says, else the size of what it moves, 16 bytes at most. An array of
// vectors, which a buffer of 2-d vectors holds, is moved vector by vector.

// CHECK-LABEL: llvm.func internal @mica_sim_kernel_m_k_region_0(
// CHECK: %[[ARRAY:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[ELEMENT:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: %[[SAID:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[VECTOR:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: llvm.sub %[[ARRAY]],
// CHECK: llvm.load {{.*}} -> !llvm.array<4 x vector<8xf64>>
// CHECK: llvm.sub %[[ELEMENT]],
// CHECK: llvm.load {{.*}} -> f64
// CHECK: llvm.sub %[[SAID]],
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.sub %[[VECTOR]],
// CHECK: llvm.load {{.*}} -> vector<4xf32>
llvm.func @mica_sim_kernel_m_k(%x: !llvm.ptr) attributes {mica_sim.kernel = "k", mica_sim.workgroup_bytes = 0 : i64,
                                                          mica_sim.checks = 32 : i32, mica_sim.sites = []} {
  %0 = llvm.load %x : !llvm.ptr -> !llvm.array<4 x vector<8xf64>>
  %1 = llvm.load %x : !llvm.ptr -> f64
  %2 = llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %3 = llvm.load %x : !llvm.ptr -> vector<4xf32>
  llvm.return
}
