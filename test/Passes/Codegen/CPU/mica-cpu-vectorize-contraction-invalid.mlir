// RUN: mica-opt %s -verify-diagnostics --mica-cpu-vectorize-contraction
// RUN: not mica-opt %s --mica-cpu-vectorize-contraction=int8-dot-bits=256 2>&1 | FileCheck %s

// CHECK: error: 'linalg.matmul' op 'mica_codegen.lowering_config': the form interleaved with lanes = 16, but the target adds products of 8-bit integers to at most 8 lanes; expected the form outer or dot, or fewer lanes
func.func @no_such_instruction(%x: memref<8x10xi8>, %y: memref<10x16xi8>, %o: memref<8x16xi32>) {
  // expected-error @+1 {{'mica_codegen.lowering_config': the form interleaved with lanes = 16, but the target adds products of 8-bit integers to no vectors (those of x86 do); expected the form outer or dot}}
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 16, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<8x10xi8>, memref<10x16xi8>) outs(%o : memref<8x16xi32>)
  return
}
