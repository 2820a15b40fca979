// RUN: mica-opt %s -split-input-file -verify-diagnostics
// Every constraint of a configuration, broken; the message says what would be possible.

func.func @lanes_along_a_reduction(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{'linalg.matmul' op 'mica_codegen.lowering_config': (C2) lane_dim = 2, expected the loop of the result's last dimension: 1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 2, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @lanes_of_no_loop(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C2) lane_dim = 9, expected the loop of the result's last dimension: 1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 9, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @rows_of_the_lanes(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C3) row_dim = 1, expected -1 or another parallel loop: 0}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 1, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @rows_without_a_loop(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C3) rows = 8 without a row_dim, expected rows = 1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @no_rows(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C4) rows = 0, expected at least 1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 0, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @lanes_no_power_of_two(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C4) lanes = 12, expected a power of 2 of at most 4096}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 24, lanes = 12, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @too_many_accumulators(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C4) a block of 65 x 16 results, expected at most 4096 results and 64 accumulators of 16}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 65, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @columns_of_half_a_vector(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C5) columns = 24, expected a multiple of lanes = 16}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 24, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @outer_with_a_reduction_dim(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C5) reduction_dim = 2 in the form outer, expected -1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @dot_along_a_parallel_loop(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C5) reduction_dim = 0, expected a reduction loop: 2}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = dot, lane_dim = 1, row_dim = 0, reduction_dim = 0, rows = 2, columns = 4, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @dot_of_strided_inputs(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C5) reduction_dim = 2 in the form dot: input 1 is not contiguous along it}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = dot, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 2, columns = 4, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @rows_move_the_packed_operand(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C6) pack_operand = 0, expected -1 or an input that row_dim does not move: 1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, pack_operand = 0, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @packed_in_the_form_dot(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C6) pack_operand = 1 in the form dot, expected -1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = dot, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 2, columns = 4, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @tiles_of_other_loops(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C7) 2 tile_sizes, expected one for each of the 3 loops}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @negative_tile(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C7) a tile size of -4, expected 0 (not tiled) or more}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, -4, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @no_contraction(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{'linalg.exp' op 'mica_codegen.lowering_config': (C1) a contraction_config, expected an operation of linalg with reduction loops and one result}}
  %0 = linalg.exp {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>} ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @tile_without_depth(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C2) tile = [64, 64], expected [m, n, k], each at least 1}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64], part = [32, 32], stages = 2>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @part_that_does_not_divide(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C2) part = [48, 32], expected divisors of the tile's 64 and 64}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [48, 32], stages = 2>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @too_many_threads(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C3) 4096 threads (64 x 64 parts, one thread each), expected a multiple of 32 of at most 1024}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = workgroup_tiles, group = 0, tile = [64, 64, 32], part = [1, 1], stages = 2>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @warps_of_half_an_instruction(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C4) part = [8, 64], expected multiples of 16 with tensor_cores}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [8, 64], stages = 2>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @no_stage(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C5) stages = 0, expected 1 to 8}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [32, 32], stages = 0>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @tf32_by_multiply_adds(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C6) tf32 with workgroup_tiles, expected tensor_cores}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = workgroup_tiles, group = 0, tile = [64, 64, 32], part = [4, 4], stages = 2, tf32 = true>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @negative_group(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C7) group = -1, expected 0 or more}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = -1, tile = [64, 64, 32], part = [32, 32], stages = 2>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @gpu_config_of_a_return() {
  // expected-error @+1 {{'func.return' op 'mica_codegen.lowering_config': (C1) a gpu_contraction_config, expected an operation of linalg}}
  return {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [32, 32], stages = 2>}
}

// -----

func.func @reduction_of_a_return() {
  // expected-error @+1 {{(C1) a gpu_reduction_config, expected an operation of linalg}}
  return {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>}
}

// -----

func.func @threads_of_half_a_warp(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C2) threads = 48, expected 32, 64, 128, 256, 512 or 1024}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 48, elements = 4>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @three_elements(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C3) elements = 3, expected 1, 2, 4, 8 or 16}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 3>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @reduction_in_no_group(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %o: memref<64x64xf32>) {
  // expected-error @+1 {{(C4) group = -2, expected 0 or more}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = -2, threads = 32, elements = 4>} ins(%x, %y : memref<64x64xf16>, memref<64x64xf16>) outs(%o : memref<64x64xf32>)
  return
}

// -----

func.func @not_a_configuration(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{has 'mica_codegen.lowering_config' = {tile = 4 : i64}, expected #mica_codegen.contraction_config, #mica_codegen.gpu_contraction_config or #mica_codegen.gpu_reduction_config}}
  %0 = linalg.exp {mica_codegen.lowering_config = {tile = 4 : i64}} ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @unknown_attribute() {
  // expected-error @+1 {{'func.return' op has the unknown attribute 'mica_codegen.tiles'}}
  return {mica_codegen.tiles}
}

// -----

func.func @distributes_into_nothing(%a: memref<8xf32>, %x: f32) {
  // expected-error @+1 {{has 'mica_codegen.distribute' = 0 : i64, expected nothing or an i64 of at least 1, on scf.forall}}
  scf.forall (%i) in (8) { memref.store %x, %a[%i] : memref<8xf32> } {mica_codegen.distribute = 0 : i64}
  return
}

// -----

func.func @keeps_loops_of_a_return() {
  // expected-error @+1 {{has 'mica_codegen.keep_loops' = unit, expected no value, on an operation of linalg}}
  return {mica_codegen.keep_loops}
}

// -----

// expected-error @+1 {{has 'mica_codegen.host_reason' = 7 : i64, expected a string that is not empty, on a function}}
func.func private @f() attributes {mica_codegen.host_reason = 7 : i64}

// -----

// expected-error @+1 {{has 'mica_codegen.entry' = 1 : i64, expected no value, on a function}}
func.func private @f() attributes {mica_codegen.entry = 1 : i64}

// -----

// expected-error @+1 {{has 'mica_codegen.launches' = true, expected no value, on a function}}
func.func private @f() attributes {mica_codegen.launches = true}

// -----

// expected-error @+1 {{has 'mica_codegen.memory' = unit, expected no value, on a module}}
func.func private @f() attributes {mica_codegen.memory}

// -----

// expected-error @+1 {{has 'mica_codegen.checks' = "some", expected "none", "divisions", "warn", "safe" or "all", on a module}}
func.func private @f() attributes {mica_codegen.checks = "some"}

// -----

// expected-error @+1 {{has 'mica_codegen.copies' = unit, expected no value, on nvgpu.device_async_create_group}}
func.func private @f() attributes {mica_codegen.copies}

// -----

func.func @interleaved_floats(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{(C8) the form interleaved: its body is no sum of products of 32 bits}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 32, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%o : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @interleaved_halfwords(%x: tensor<64x256xi16>, %y: tensor<256x128xi16>, %o: tensor<64x128xi32>) -> tensor<64x128xi32> {
  // expected-error @+1 {{(C8) the form interleaved: the factors are not 8-bit integers that are extended to 32 bits}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 32, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xi16>, tensor<256x128xi16>) outs(%o : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}

// -----

func.func @interleaved_without_packing(%x: tensor<64x256xi8>, %y: tensor<256x128xi8>, %o: tensor<64x128xi32>) -> tensor<64x128xi32> {
  // expected-error @+1 {{(C8) pack_operand = -1 in the form interleaved, expected the factor along the lanes: 1}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 32, lanes = 16, pack_operand = -1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xi8>, tensor<256x128xi8>) outs(%o : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}

// -----

func.func @interleaved_wide_lanes(%x: tensor<64x256xi8>, %y: tensor<256x128xi8>, %o: tensor<64x128xi32>) -> tensor<64x128xi32> {
  // expected-error @+1 {{(C8) lanes = 32 in the form interleaved, expected 4, 8 or 16}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 32, lanes = 32, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xi8>, tensor<256x128xi8>) outs(%o : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}

// -----

func.func @interleaved_along_rows(%x: tensor<64x256xi8>, %y: tensor<256x128xi8>, %o: tensor<64x128xi32>) -> tensor<64x128xi32> {
  // expected-error @+1 {{(C5) reduction_dim = 0, expected a reduction loop: 2}}
  %0 = linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 0, rows = 8, columns = 32, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xi8>, tensor<256x128xi8>) outs(%o : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}

// -----

func.func @interleaved_by_columns(%x: tensor<256x64xi8>, %y: tensor<256x128xi8>, %o: tensor<64x128xi32>) -> tensor<64x128xi32> {
  // expected-error @+1 {{(C8) the form interleaved: no factor is contiguous along the reduction and independent of the lanes}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 32, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<256x64xi8>, tensor<256x128xi8>) outs(%o : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}

// -----

func.func @transposed_rows(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+2 {{(C9) rows = 24 in the form transposed, expected a multiple of lanes = 16}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 24, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_columns(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+2 {{(C9) columns = 17 in the form transposed, expected at most lanes = 16}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 17, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_along_reduction(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+2 {{(C5) reduction_dim = 2 in the form transposed, expected -1}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0], reduction_dim = 2>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_packed(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+2 {{(C6) pack_operand = 0 in the form transposed, expected -1}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0], pack_operand = 0>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_without_rows(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+2 {{(C3) rows = 32 without a row_dim}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_scattered(%x: tensor<64x256xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+1 {{(C9) row_dim = 0 in the form transposed: input 0 is not contiguous along it}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<64x256xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_some_lanes(%x: tensor<256x40xf32>, %y: tensor<256x28xf32>, %o: tensor<40x28xf32>) -> tensor<40x28xf32> {
  // expected-error @+1 {{(C9) row_dim = 0 in the form transposed, a loop of size 40, expected a multiple of lanes = 16}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<256x40xf32>, tensor<256x28xf32>) outs(%o : tensor<40x28xf32>) -> tensor<40x28xf32>
  return %0 : tensor<40x28xf32>
}

// -----

func.func @transposed_unknown_lanes(%x: tensor<256x?xf32>, %y: tensor<256x28xf32>, %o: tensor<?x28xf32>) -> tensor<?x28xf32> {
  // expected-error @+1 {{(C9) row_dim = 0 in the form transposed, a loop of unknown size, expected a multiple of lanes = 16}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : tensor<256x?xf32>, tensor<256x28xf32>) outs(%o : tensor<?x28xf32>) -> tensor<?x28xf32>
  return %0 : tensor<?x28xf32>
}

// -----

func.func @transposed_tile_of_some_lanes(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+1 {{(C9) a tile size of 24 for row_dim in the form transposed, expected 0 or a multiple of lanes = 16 that divides 64}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [24, 0, 0]>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}

// -----

func.func @transposed_uneven_tiles(%x: tensor<256x64xf32>, %y: tensor<256x28xf32>, %o: tensor<64x28xf32>) -> tensor<64x28xf32> {
  // expected-error @+1 {{(C9) a tile size of 48 for row_dim in the form transposed, expected 0 or a multiple of lanes = 16 that divides 64}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 32, columns = 14, lanes = 16, order = lanes_outer, tile_sizes = [48, 0, 0]>}
    ins(%x, %y : tensor<256x64xf32>, tensor<256x28xf32>) outs(%o : tensor<64x28xf32>) -> tensor<64x28xf32>
  return %0 : tensor<64x28xf32>
}
