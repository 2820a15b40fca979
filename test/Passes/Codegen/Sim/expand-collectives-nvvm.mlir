// RUN: mica-opt %s --pass-pipeline='builtin.module(gpu.module(mica-sim-expand-collectives))' | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @registers
  // CHECK: gpu.thread_id y
  // CHECK: gpu.grid_dim z
  // CHECK: gpu.lane_id
  // CHECK-NOT: nvvm.
  gpu.func @registers(%x: memref<3xi32>, %i: index) kernel {
    %a = nvvm.read.ptx.sreg.tid.y : i32
    %b = nvvm.read.ptx.sreg.nctaid.z : i32
    %c = nvvm.read.ptx.sreg.laneid : i32
    memref.store %a, %x[%i] : memref<3xi32>
    memref.store %b, %x[%i] : memref<3xi32>
    memref.store %c, %x[%i] : memref<3xi32>
    gpu.return
  }

  // A fence orders nothing that the simulator runs.
  // CHECK-LABEL: gpu.func @fences
  // CHECK-NEXT: gpu.return
  gpu.func @fences() kernel {
    nvvm.memory.barrier <gpu>
    nvvm.fence.mbarrier.init
    nvvm.setmaxregister decrease 40
    gpu.return
  }

  // Segments of 8 lanes: the lane's upper bits stay, the last of the segment bounds the source.
  // CHECK-LABEL: gpu.func @shuffle
  // CHECK-DAG: %[[MASK:.*]] = arith.constant 24 : i32
  // CHECK-DAG: %[[LAST:.*]] = arith.constant 7 : i32
  // CHECK: %[[BASE:.*]] = arith.andi %[[LANE:.*]], %[[MASK]] : i32
  // CHECK: %[[END:.*]] = arith.ori %[[BASE]], %[[LAST]] : i32
  // CHECK: %[[SOURCE:.*]] = arith.addi
  // CHECK: %[[OK:.*]] = arith.cmpi sle, %[[SOURCE]], %[[END]] : i32
  // CHECK: %[[FROM:.*]] = arith.select %[[OK]], %[[SOURCE]], %{{.*}} : i32
  // CHECK: gpu.shuffle idx %{{.*}}, %[[FROM]], %{{.*}} : f32
  gpu.func @shuffle(%x: memref<32xf32>, %all: i32, %offset: i32, %v: f32, %i: index) kernel {
    %c = arith.constant 6175 : i32
    %r = nvvm.shfl.sync down %all, %v, %offset, %c : f32 -> f32
    memref.store %r, %x[%i] : memref<32xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @elect
  // CHECK: gpu.subgroup_broadcast %{{.*}}, first_active_lane
  // CHECK: arith.cmpi eq
  // CHECK-LABEL: gpu.func @redux
  // CHECK-COUNT-5: gpu.shuffle
  gpu.func @elect(%x: memref<32xi1>, %i: index) kernel {
    %p = nvvm.elect.sync -> i1
    memref.store %p, %x[%i] : memref<32xi1>
    gpu.return
  }
  gpu.func @redux(%x: memref<32xi32>, %v: i32, %i: index) kernel {
    %all = arith.constant -1 : i32
    %r = nvvm.redux.sync umax %v, %all : i32 -> i32
    memref.store %r, %x[%i] : memref<32xi32>
    gpu.return
  }

  // Not of a whole warp.
  // MUTATION: stays green, what the pass does not take it leaves
  // CHECK-LABEL: gpu.func @some
  // CHECK: nvvm.redux.sync
  gpu.func @some(%x: memref<32xi32>, %v: i32, %mask: i32, %i: index) kernel {
    %r = nvvm.redux.sync add %v, %mask : i32 -> i32
    memref.store %r, %x[%i] : memref<32xi32>
    gpu.return
  }
}
