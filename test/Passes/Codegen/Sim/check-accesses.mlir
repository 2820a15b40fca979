// RUN: mica-opt %s --mica-sim-check-accesses | FileCheck %s
// RUN: mica-opt %s --mica-sim-check-accesses="checks=race+bank" | FileCheck %s --check-prefix=SOME
// RUN: mica-opt %s --mica-sim-check-accesses="kernels=other*" | FileCheck %s --check-prefix=NONE
// RUN: not mica-opt %s --mica-sim-check-accesses="checks=rase" 2>&1 | FileCheck %s --check-prefix=ERR

// ERR: unknown check 'rase'
// ERR-SAME: race

// CHECK-LABEL: func.func private @mica_sim_kernel_m_k
// CHECK-SAME: mica_sim.checks = 63 : i32
// CHECK-SAME: mica_sim.granule = 4 : i32
// CHECK: %[[OK:.*]] = arith.cmpi ult
// CHECK: scf.if
// CHECK: memref.store
// CHECK: else
// CHECK: call @mica_sim_report_

// SOME-LABEL: func.func private @mica_sim_kernel_m_k
// SOME-SAME: mica_sim.checks = 66 : i32
// SOME-NOT: scf.if

// NONE-LABEL: func.func private @mica_sim_kernel_m_k
// NONE-SAME: mica_sim.checks = 0 : i32
func.func private @mica_sim_kernel_m_k(%x: memref<?xf32>, %i: index, %v: f32)
    attributes {mica_sim.kernel = "k", mica_sim.workgroup_bytes = 0 : i64} {
  memref.store %v, %x[%i] : memref<?xf32>
  return
}
