// RUN: mica-opt %s | mica-opt | FileCheck %s
// RUN: mica-opt %s --emit-bytecode | mica-opt | FileCheck %s

// CHECK-LABEL: func.func @cpu(
// CHECK: #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 12, columns = 32, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [256, 128, 0], reason = "by hand">
func.func @cpu(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, reduction_dim = -1,
      rows = 12, columns = 32, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [256, 128, 0], reason = "by hand">}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// Defaults are not printed.
// CHECK-LABEL: func.func @dot(
// CHECK: #mica_codegen.contraction_config<form = dot, lane_dim = 1, reduction_dim = 2, rows = 1, columns = 4, lanes = 16, order = rows_outer, tile_sizes = [0, 8, 0]>
func.func @dot(%x: tensor<64x256xf32>, %y: tensor<128x256xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = dot, lane_dim = 1, reduction_dim = 2, rows = 1, columns = 4,
      lanes = 16, order = rows_outer, tile_sizes = [0, 8, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<128x256xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @gpu(
// CHECK: #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [128, 128, 16], part = [64, 64], stages = 3, tf32 = true>
// CHECK: #mica_codegen.gpu_reduction_config<group = 1, threads = 128, elements = 4>
func.func @gpu(%x: memref<64x256xf32>, %y: memref<256x128xf32>, %o: memref<64x128xf32>, %sum: memref<64xf32>) {
  linalg.matmul {mica_codegen.keep_loops, mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0,
      tile = [128, 128, 16], part = [64, 64], stages = 3, tf32 = true>}
    ins(%x, %y : memref<64x256xf32>, memref<256x128xf32>) outs(%o : memref<64x128xf32>)
  linalg.reduce {arith.addf} ins(%o : memref<64x128xf32>) outs(%sum : memref<64xf32>) dimensions = [1]
    {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 1, threads = 128, elements = 4>}
  return
}
