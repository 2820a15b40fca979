// RUN: mica-opt %s | mica-opt | FileCheck %s

// Each kind of exchange prints as it is read.

// CHECK-LABEL: func.func @kinds
func.func @kinds(%x: memref<8x6xf32>, %part: memref<2x6xf32>, %across: memref<32x6xf32>, %y: memref<8x6xf32>,
                 %turned: memref<2x24xf32>, %n: memref<i64>) {
  // CHECK: mica_sched.collective all_reduce from %{{.*}} : memref<8x6xf32> to %{{.*}} : memref<8x6xf32> on [2, 4] axes [1] reduction sum
  mica_sched.collective all_reduce from %x : memref<8x6xf32> to %y : memref<8x6xf32> on [2, 4] axes [1] reduction sum
  // CHECK: all_gather {{.*}} on [2, 4] axes [1] dim 0
  mica_sched.collective all_gather from %x : memref<8x6xf32> to %across : memref<32x6xf32> on [2, 4] axes [1] dim 0
  // CHECK: all_slice
  mica_sched.collective all_slice from %x : memref<8x6xf32> to %part : memref<2x6xf32> on [2, 4] axes [1] dim 0
  // CHECK: all_to_all {{.*}} axes [1] dim 0 concat_dim 1
  mica_sched.collective all_to_all from %x : memref<8x6xf32> to %turned : memref<2x24xf32> on [2, 4] axes [1] dim 0 concat_dim 1
  // CHECK: broadcast {{.*}} peer 3
  mica_sched.collective broadcast from %x : memref<8x6xf32> to %y : memref<8x6xf32> on [2, 4] axes [1] peer 3
  // CHECK: gather {{.*}} dim 0 peer 0
  mica_sched.collective gather from %x : memref<8x6xf32> to %across : memref<32x6xf32> on [2, 4] axes [1] dim 0 peer 0
  // CHECK: reduce {{.*}} reduction max peer 1
  mica_sched.collective reduce from %x : memref<8x6xf32> to %y : memref<8x6xf32> on [2, 4] axes [1] reduction max peer 1
  // CHECK: reduce_scatter {{.*}} reduction average dim 0
  mica_sched.collective reduce_scatter from %x : memref<8x6xf32> to %part : memref<2x6xf32> on [2, 4] axes [1] reduction average dim 0
  // CHECK: scatter {{.*}} dim 0 peer 2
  mica_sched.collective scatter from %x : memref<8x6xf32> to %part : memref<2x6xf32> on [2, 4] axes [1] dim 0 peer 2
  // CHECK: send {{.*}} axes [0, 1] peer 7
  mica_sched.collective send from %x : memref<8x6xf32> to %y : memref<8x6xf32> on [2, 4] axes [0, 1] peer 7
  // CHECK: recv {{.*}} peer 0
  mica_sched.collective recv from %x : memref<8x6xf32> to %y : memref<8x6xf32> on [2, 4] axes [0, 1] peer 0
  // CHECK: shift {{.*}} axes [1] shift_axis 1 offset -1 rotate
  mica_sched.collective shift from %x : memref<8x6xf32> to %y : memref<8x6xf32> on [2, 4] axes [1] shift_axis 1 offset -1 rotate
  // CHECK: mica_sched.collective index to %{{.*}} : memref<i64> on [2, 4] axes []
  mica_sched.collective index to %n : memref<i64> on [2, 4] axes []
  return
}
