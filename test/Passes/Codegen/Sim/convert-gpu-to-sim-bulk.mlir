// RUN: mica-opt %s --convert-gpu-to-sim | FileCheck %s

// Kinds of points are those of include/mica/ABI/Sim.h; the third number is what an mbarrier does, or where a copy goes.
// CHECK-DAG: func.func private @[[INIT:mica_sim_point_[0-9]+]](i64, i32, i32, i1) -> i64 attributes {mica_sim.point = array<i32: 15, {{[0-9]+}}, 0, 0, 0, 0>}
// CHECK-DAG: func.func private @[[EXPECT:mica_sim_point_[0-9]+]](i64, i32, i32, i1) -> i64 attributes {mica_sim.point = array<i32: 15, 1, 2, 0, 0, 0>}
// CHECK-DAG: func.func private @[[LOAD:mica_sim_point_[0-9]+]](i64, i64, i64, i1, i32, i32) attributes {mica_sim.point = array<i32: 17, {{[0-9]+}}, 0, 2, 0, 0>}
// CHECK-DAG: func.func private @[[WAIT:mica_sim_point_[0-9]+]](i64, i64) -> i1 attributes {mica_sim.point = array<i32: 16, {{[0-9]+}}, 1, 1, 0, 0>}
// CHECK-DAG: func.func private @[[TEST:mica_sim_point_[0-9]+]](i64, i64) -> i1 attributes {mica_sim.point = array<i32: 16, {{[0-9]+}}, 0, 0, 0, 0>}
// CHECK-DAG: func.func private @[[MMA:mica_sim_point_[0-9]+]](i64, i64, vector<4xf32>) -> vector<4xf32> attributes {mica_sim.point = array<i32: 19, {{[0-9]+}}, 8, 0, 2, 0>}
// CHECK-DAG: func.func private @[[STORE:mica_sim_point_[0-9]+]](i64, i64, i64, i1, i32) attributes {mica_sim.point = array<i32: 17, {{[0-9]+}}, 1, 0, 0, 0>}
// CHECK-DAG: func.func private @[[READ:mica_sim_point_[0-9]+]]() attributes {mica_sim.point = array<i32: 18, {{[0-9]+}}, 2, 1, 0, 0>}
// Such barriers order some of the threads (2); the map is no address that threads use.
// CHECK: func.func private @mica_sim_kernel_m_k({{.*}}) attributes {{.*}}mica_sim.flags = 2 : i32
// CHECK: call @[[INIT]](
// CHECK: call @[[EXPECT]](
// CHECK: call @[[LOAD]](
// CHECK: call @[[WAIT]](
// CHECK: call @[[TEST]](
// CHECK: call @[[MMA]](
// CHECK-COUNT-4: llvm.insertvalue
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%map: !llvm.ptr) workgroup(%s: memref<64x16xf32, 3>) kernel {
      %c8 = arith.constant 8 : i32
      %bytes = arith.constant 4096 : i32
      %at = arith.constant 0 : i64
      %tile = llvm.inttoptr %at : i64 to !llvm.ptr<3>
      %far = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.mbarrier.init %tile, %c8 : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx %tile, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.tensor.shared.cluster.global %far, %map, %tile, box[%c8, %c8] : !llvm.ptr<7>, !llvm.ptr
      nvvm.mbarrier.try_wait.parity %tile, %c8, %bytes : !llvm.ptr<3>, i32, i32
      %token = nvvm.mbarrier.arrive %tile : !llvm.ptr<3> -> i64
      %done = nvvm.mbarrier.test.wait %tile, %token : !llvm.ptr<3>, i64 -> i1
      %sums = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
      %r = nvvm.wgmma.mma_async %at, %at, %sums, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
      %v = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
      gpu.printf "%f", %v : f32
      gpu.return
    }
    gpu.func @bulk(%out: memref<1024xf32>) kernel {
      %bytes = arith.constant 4096 : i32
      %at = arith.constant 0 : i64
      %tile = llvm.inttoptr %at : i64 to !llvm.ptr<3>
      %to = llvm.inttoptr %at : i64 to !llvm.ptr<1>
      nvvm.cp.async.bulk.global.shared.cta %to, %tile, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 1 {read}
      gpu.return
    }
  }
}
