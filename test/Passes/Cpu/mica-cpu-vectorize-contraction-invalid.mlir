// RUN: mica-opt %s -split-input-file -verify-diagnostics --mica-cpu-vectorize-contraction

// Lanes along the reduction loop cannot be stored side by side.
func.func @lanes_along_reduction(%x: memref<64x256xf32>, %y: memref<256x128xf32>, %o: memref<64x128xf32>) {
  // expected-error @+1 {{cannot be computed as its attribute 'mica.contraction' says}}
  linalg.matmul {mica.contraction = {form = "outer", lane_dim = 2 : i64, row_dim = 0 : i64, dot_dim = -1 : i64,
      rows = 8 : i64, columns = 32 : i64, lanes = 16 : i64, pack_operand = -1 : i64, lanes_outer = true, tile = array<i64: 0, 0, 0>}}
    ins(%x, %y : memref<64x256xf32>, memref<256x128xf32>) outs(%o : memref<64x128xf32>)
  return
}

// -----

// Panels are made once for all rows: rows cannot move what is packed.
func.func @rows_move_the_packed_operand(%x: memref<64x256xf32>, %y: memref<256x128xf32>, %o: memref<64x128xf32>) {
  // expected-error @+1 {{cannot be computed as its attribute 'mica.contraction' says}}
  linalg.matmul {mica.contraction = {form = "outer", lane_dim = 1 : i64, row_dim = 0 : i64, dot_dim = -1 : i64,
      rows = 8 : i64, columns = 32 : i64, lanes = 16 : i64, pack_operand = 0 : i64, lanes_outer = true, tile = array<i64: 0, 0, 0>}}
    ins(%x, %y : memref<64x256xf32>, memref<256x128xf32>) outs(%o : memref<64x128xf32>)
  return
}
