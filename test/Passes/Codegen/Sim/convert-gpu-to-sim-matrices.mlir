// RUN: mica-opt %s --convert-gpu-to-sim -split-input-file | FileCheck %s

// A thread holds 8 of 256 elements; the warp meets before it loads, and at the product.
// CHECK-DAG: func.func private @[[MEET:mica_sim_point_[0-9]+]]() attributes {mica_sim.point = array<i32: 9, 0, 0, 0, 0, 0>}
// CHECK-DAG: func.func private @[[MMA:mica_sim_point_[0-9]+]](vector<8xf16>, vector<8xf16>, vector<8xf32>) -> vector<8xf32> attributes {mica_sim.point = array<i32: 10, {{[0-9]+}}, 16, 16, 16, 0>}
// CHECK-LABEL: func.func private @mica_sim_kernel_m_k(
// CHECK: call @[[MEET]]()
// CHECK-COUNT-8: memref.load %{{.*}} : memref<32x32xf16>
// CHECK: vector.from_elements {{.*}} : vector<8xf16>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf32>)
// CHECK: call @[[MMA]](
// CHECK: arith.maximumf
// CHECK-COUNT-8: memref.store %{{.*}} : memref<16x16xf32>
gpu.module @m {
  gpu.func @k(%a: memref<32x32xf16>, %c: memref<16x16xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %z = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %y = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 32 : index, transpose} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %p = gpu.subgroup_mma_compute %x, %y, %acc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      scf.yield %p : !gpu.mma_matrix<16x16xf32, "COp">
    }
    %r = gpu.subgroup_mma_elementwise maxf %sum, %z : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %r, %c[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }
}

// -----

// Blocks of branches; what the threads hold is reached by position, whose meaning is the device's.
// CHECK-LABEL: func.func private @mica_sim_kernel_m_branches(
// CHECK: cf.br ^[[NEXT:bb[0-9]+]](%{{.*}} : vector<2xf64>)
// CHECK: ^[[NEXT]](%[[M:.*]]: vector<2xf64>):
// CHECK: %[[E:.*]] = vector.extract %[[M]][%{{.*}}] : f64 from vector<2xf64>
// CHECK: vector.insert %[[E]], %[[M]] [%{{.*}}] : f64 into vector<2xf64>
gpu.module @m {
  gpu.func @branches(%a: memref<64xf64>, %i: index) kernel {
    %m = gpu.subgroup_mma_load_matrix %a[%i] {leadDimension = 8 : index} : memref<64xf64> -> !gpu.mma_matrix<8x8xf64, "COp">
    cf.br ^bb1(%m : !gpu.mma_matrix<8x8xf64, "COp">)
  ^bb1(%n: !gpu.mma_matrix<8x8xf64, "COp">):
    %e = gpu.subgroup_mma_extract_thread_local %n[%i] : !gpu.mma_matrix<8x8xf64, "COp"> -> f64
    %o = gpu.subgroup_mma_insert_thread_local %e, %n[%i] : f64, !gpu.mma_matrix<8x8xf64, "COp"> -> !gpu.mma_matrix<8x8xf64, "COp">
    gpu.subgroup_mma_store_matrix %o, %a[%i] {leadDimension = 8 : index} : !gpu.mma_matrix<8x8xf64, "COp">, memref<64xf64>
    gpu.return
  }
}

// -----

// Barriers of a warp and of some warps, which accesses are looked at one by one for.
// CHECK-DAG: func.func private @mica_sim_point_0(i32) attributes {mica_sim.point = array<i32: 11, 0, 0, 0, 0, 0>}
// CHECK-DAG: func.func private @mica_sim_point_1(i32, i32) attributes {mica_sim.point = array<i32: 12, 1, 0, 0, 0, 0>}
// CHECK-DAG: func.func private @mica_sim_point_2(i32) attributes {mica_sim.point = array<i32: 13, 2, 0, 0, 0, 0>}
// CHECK-LABEL: func.func private @mica_sim_kernel_m_barriers(
// CHECK-SAME: mica_sim.flags = 2 : i32
gpu.module @m {
  gpu.func @barriers(%mask: i32, %n: i32) kernel {
    nvvm.bar.warp.sync %mask : i32
    nvvm.barrier id = %n number_of_threads = %n
    nvvm.barrier.arrive id = %n number_of_threads = %n
    gpu.return
  }
}

// -----

// A cluster has as many blocks as the launches say.
// CHECK-LABEL: func.func private @mica_sim_kernel_m_cluster(
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: arith.divui %{{.*}}, %c2
// CHECK: memref.store
module attributes {gpu.container_module} {
  func.func @main(%x: memref<4xindex>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@cluster clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xindex>)
    return
  }
  gpu.module @m {
    gpu.func @cluster(%x: memref<4xindex>) kernel {
      %b = gpu.block_id x
      %c = gpu.cluster_id x
      memref.store %c, %x[%b] : memref<4xindex>
      gpu.return
    }
  }
}
