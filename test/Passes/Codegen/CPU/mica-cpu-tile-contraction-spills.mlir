// A block that needs more vector registers than the target has is lowered, with a warning that says how many fit.
// RUN: mica-opt %s --mica-cpu-tile-contraction="vector-bits=512" 2>&1 >/dev/null | FileCheck %s --check-prefix=WIDE
// RUN: mica-opt %s --mica-cpu-tile-contraction="vector-bits=256" 2>&1 >/dev/null | FileCheck %s --check-prefix=NARROW
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-cpu-tile-contraction))' --remarks-filter=contraction -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @blocks(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // WIDE: spills.mlir:[[#@LINE+2]]:8: warning: 'mica_codegen.lowering_config': a block of 12 x 64 results in vectors of 16 needs 53 vector registers (48 for accumulators, 5 for inputs), but the target has 32 of 512 bits: the rest is spilled to the stack at each step; rows = 6 or less fit these columns
  // NARROW: warning: {{.*}} needs 106 vector registers (96 for accumulators, 10 for inputs), but the target has 16 of 256 bits: {{.*}}; rows = 1 or less fit these columns
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 12, columns = 64, lanes = 16, order = lanes_outer, tile_sizes = [16, 64, 128]>} {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %0 = arith.mulf %u, %v : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x128xf32>
  return %m : tensor<64x128xf32>
}
// REMARK: remark: [Missed] spills | {{.*}}needs 53 vector registers

// A block that fits: nothing is said of it.
// WIDE-NOT: warning
func.func @fits(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 6, columns = 64, lanes = 16, order = lanes_outer, tile_sizes = [16, 64, 128]>} {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %0 = arith.mulf %u, %v : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x128xf32>
  return %m : tensor<64x128xf32>
}
