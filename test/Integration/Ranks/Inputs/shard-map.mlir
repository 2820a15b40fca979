// As JAX exports a function of shard_map over a mesh of 2 x 2 devices: a product whose sum is over y, and exchanges along
// single axes and all of them.
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4x6xf32>, %b: tensor<6x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>, tensor<ui32>) {
    %0:3 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x", "y"}, {}], replicated={}>, <@mesh, []>] manual_axes={"x", "y"} (%p: tensor<2x3xf32>, %q: tensor<3x4xf32>) {
      %1 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %10 = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %10 : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %4 = stablehlo.partition_id : tensor<ui32>
      %5 = stablehlo.convert %4 : (tensor<ui32>) -> tensor<f32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %7 = stablehlo.add %3, %6 : tensor<2x4xf32>
      %8 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%l: tensor<ui32>, %r: tensor<ui32>):
        %10 = stablehlo.add %l, %r : tensor<ui32>
        stablehlo.return %10 : tensor<ui32>
      }) : (tensor<ui32>) -> tensor<ui32>
      sdy.return %2, %7, %8 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<ui32>
    } : (tensor<4x6xf32>, tensor<6x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>, tensor<ui32>)
    return %0#0, %0#1, %0#2 : tensor<4x4xf32>, tensor<8x4xf32>, tensor<ui32>
  }
}
