// RUN: mica-opt %s --split-input-file --convert-shard-to-mica-sched | FileCheck %s

// An exchange is code on buffers, which becomes a kernel of its own.

// CHECK-NOT: shard.grid
// CHECK-LABEL: func.func @gathers
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x12xf32>
// CHECK: %[[R:.*]] = mica_sched.buffer_region reads(%{{.*}} : tensor<8x3xf32>) updates(%[[E]] : tensor<8x12xf32>)
// CHECK: mica_sched.collective all_gather from %{{.*}} : memref<8x3xf32> to %{{.*}} : memref<8x12xf32> on [2, 4] axes [1] dim 1
// CHECK: return %[[R]]
shard.grid @grid(shape = 2x4)
func.func @gathers(%x: tensor<8x3xf32>) -> tensor<8x12xf32> {
  %0 = shard.all_gather %x on @grid grid_axes = [1] gather_axis = 1 : tensor<8x3xf32> -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// CHECK-LABEL: func.func @root_by_its_place
// CHECK: mica_sched.collective broadcast {{.*}} on [2, 4] axes [1, 0] peer 5
func.func @root_by_its_place(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = shard.broadcast %x on @grid grid_axes = [1, 0] root = [2, 1] : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The rank's number comes from the runtime; its place in the grid is computed.

// CHECK-LABEL: func.func @place
// CHECK: mica_sched.collective index to %{{.*}} : memref<i64> on [2, 4] axes []
// CHECK: tensor.extract
// CHECK: affine.delinearize_index
func.func @place() -> (index, index) {
  %i, %j = shard.process_multi_index on @grid : index, index
  return %i, %j : index, index
}

// CHECK-LABEL: func.func @sizes
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 4 : index
// CHECK: return %[[COLUMNS]], %[[ROWS]]
func.func @sizes() -> (index, index) {
  %0:2 = shard.grid_shape @grid axes = [1, 0] : index, index
  return %0#0, %0#1 : index, index
}

// A halo comes from the neighbours; ranks at the border keep what they have.

// CHECK-LABEL: func.func @halo
// CHECK: tensor.extract_slice %{{.*}}[4, 0] [2, 5] [1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [2, 5] [1, 1]
// CHECK: mica_sched.collective shift {{.*}} on [2, 4] axes [1] shift_axis 1 offset -1
// CHECK: arith.select
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [2, 5] [1, 1]
// CHECK: tensor.extract_slice %{{.*}}[2, 0] [1, 5] [1, 1]
// CHECK: mica_sched.collective shift {{.*}} on [2, 4] axes [1] shift_axis 1 offset 1
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[6, 0] [1, 5] [1, 1]
func.func @halo(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %0 = shard.update_halo %x on @grid split_axes = [[1]] halo_sizes = [2, 1] : tensor<7x5xf32>
  return %0 : tensor<7x5xf32>
}
