// RUN: mica-opt %s --mica-cpu-vectorize-contraction=int16-pair-bits=256 --canonicalize --cse | FileCheck %s

// Without an instruction for four products of bytes: the bytes of the even and of the odd steps are widened to pairs of 16 bits, those of the
// packed factor when it is packed, those of a row where it is used, because one panel reads it. Neither factor is moved by 128, and no sums of
// rows correct it.
// CHECK-LABEL: func @bytes
// CHECK-SAME: %[[X:.*]]: memref<4x16xi8>, %[[Y:.*]]: memref<16x8xi8>
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant dense<8> : vector<16xi16>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<255> : vector<16xi16>
// CHECK-DAG: %[[PACKED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x4x32xi16>
// CHECK: %[[PAIRS:.*]] = vector.bitcast %{{.*}} : vector<32xi8> to vector<16xi16>
// CHECK: %[[UP:.*]] = arith.shli %[[PAIRS]], %[[EIGHT]]
// CHECK: %[[EVEN:.*]] = arith.shrsi %[[UP]], %[[EIGHT]]
// CHECK: %[[ODD:.*]] = arith.shrsi %[[PAIRS]], %[[EIGHT]]
// CHECK: vector.transfer_write %[[EVEN]], %[[PACKED]][%{{.*}}, %{{.*}}, %c0]
// CHECK: vector.transfer_write %[[ODD]], %[[PACKED]][%{{.*}}, %{{.*}}, %c16]
// CHECK-NOT: vector.reduction
// CHECK: %[[ROW:.*]] = vector.bitcast %{{.*}} : vector<8xi32> to vector<16xi16>
// CHECK: %[[ROW_EVEN:.*]] = arith.andi %[[ROW]], %[[LOW]]
// CHECK: %[[ROW_ODD:.*]] = arith.shrui %[[ROW]], %[[EIGHT]]
// CHECK: %[[SUM_EVEN:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[ROW_EVEN]], %{{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// CHECK: %[[SUM_ODD:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[ROW_ODD]], %{{.*}})
// CHECK: %[[BOTH:.*]] = arith.addi %[[SUM_EVEN]], %[[SUM_ODD]]
// CHECK: arith.addi %{{.*}}, %[[BOTH]] : vector<8xi32>
func.func @bytes(%x: memref<4x16xi8>, %y: memref<16x8xi8>, %o: memref<4x8xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<4x16xi8>, memref<16x8xi8>) outs(%o : memref<4x8xi32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 4, columns = 8, lanes = 8, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>} {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %s, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// Four panels of 8 columns read each row: it is widened once, to two words for each group of four steps.
// CHECK-LABEL: func @rows
// CHECK: %[[WIDE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xi32>
// CHECK: %[[BOTH:.*]] = vector.interleave %{{.*}}, %{{.*}} : vector<8xi32> -> vector<16xi32>
// CHECK: vector.transfer_write %[[BOTH]], %[[WIDE]]
// CHECK: memref.load %[[WIDE]]
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
func.func @rows(%x: memref<4x16xi8>, %y: memref<16x32xi8>, %o: memref<4x32xi32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 4, columns = 8, lanes = 8, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<4x16xi8>, memref<16x32xi8>) outs(%o : memref<4x32xi32>)
  return
}

// Vectors of 256 bits have no cheap masked stores: seven elements are stored as four, two and one.
// CHECK-LABEL: func @pieces
// CHECK: vector.transfer_write %{{.*}} : vector<4xf32>, memref<1x7xf32>
// CHECK: vector.transfer_write %{{.*}} : vector<2xf32>, memref<1x7xf32>
// CHECK: vector.transfer_write %{{.*}} : vector<1xf32>, memref<1x7xf32>
// CHECK-NOT: vector.transfer_write
func.func @pieces(%x: memref<1x64xf32>, %y: memref<64x7xf32>, %o: memref<1x7xf32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 1, columns = 8, lanes = 8, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<1x64xf32>, memref<64x7xf32>) outs(%o : memref<1x7xf32>)
  return
}
