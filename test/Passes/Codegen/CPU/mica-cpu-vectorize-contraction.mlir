// RUN: mica-opt %s -split-input-file --mica-cpu-vectorize-contraction=int8-dot-bits=512 --canonicalize --cse | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Sums start as constants, stay in vectors across the reduction, pass through the consumer and are stored once.
// CHECK-LABEL: func @block_of_two_rows
// CHECK-SAME: %[[X:.*]]: memref<2x64xf32>, %[[Y:.*]]: memref<64x16xf32>, %[[O:.*]]: memref<2x16xf32>
// CHECK: %[[S:.*]]:2 = scf.for %[[K:.*]] = {{.*}} iter_args(%[[S0:.*]] = %[[Z:.*]], %[[S1:.*]] = %[[Z]]) -> (vector<16xf32>, vector<16xf32>)
// CHECK-DAG: %[[B:.*]] = vector.transfer_read %[[Y]][%[[K]], %{{.*}}], %{{.*}} {in_bounds = [true]} : memref<64x16xf32>, vector<16xf32>
// CHECK-DAG: %[[A0:.*]] = memref.load %[[X]][%{{.*}}, %[[K]]]
// CHECK-DAG: %[[V0:.*]] = vector.broadcast %[[A0]]
// CHECK-DAG: vector.fma %[[V0]], %[[B]], %[[S0]]
// CHECK-DAG: vector.fma %{{.*}}, %[[B]], %[[S1]]
// CHECK: arith.maximumf %[[S]]#0
// CHECK: arith.maximumf %[[S]]#1
// CHECK-COUNT-2: vector.transfer_write %{{.*}}, %[[O]]
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
func.func @block_of_two_rows(%x: memref<2x64xf32>, %y: memref<64x16xf32>, %o: memref<2x16xf32>) {
  %z = arith.constant 0.0 : f32
  %f = memref.alloc() : memref<2x16xf32>
  linalg.fill ins(%z : f32) outs(%f : memref<2x16xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<2x64xf32>, memref<64x16xf32>) outs(%f : memref<2x16xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 2, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f : memref<2x16xf32>) outs(%o : memref<2x16xf32>) {
  ^bb0(%p: f32, %s: f32):
    %0 = arith.maximumf %p, %z : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Ten columns fit no vector: loads and stores are masked.
// CHECK-LABEL: func @last_lanes_are_masked
// CHECK: %[[MASK:.*]] = vector.constant_mask [10] : vector<16xi1>
// CHECK: vector.transfer_read %{{.*}}, %{{.*}}, %[[MASK]]
// CHECK: vector.transfer_write %{{.*}}, %[[MASK]]
func.func @last_lanes_are_masked(%x: memref<1x64xf32>, %y: memref<64x10xf32>, %o: memref<1x10xf32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, rows = 1, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<1x64xf32>, memref<64x10xf32>) outs(%o : memref<1x10xf32>)
  return
}

// -----

// Rows known only at run time: blocks of four, then of two, then single rows.
// CHECK-DAG: #[[$FOUR:.*]] = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
// CHECK-LABEL: func @dynamic_rows
// CHECK: %[[END:.*]] = affine.apply #[[$FOUR]]()
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step %{{.*}}
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for %{{.*}} = %[[END]] to
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>) {
// CHECK: scf.for {{.*}} -> (vector<16xf32>) {
func.func @dynamic_rows(%x: memref<?x64xf32>, %y: memref<64x16xf32>, %o: memref<?x16xf32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 4, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<?x64xf32>, memref<64x16xf32>) outs(%o : memref<?x16xf32>)
  return
}

// -----

// Elements two apart: the two vectors they lie in are read, up to the last element, and every other element is picked. Of the
// second block three elements exist, the last of them the fifth from where it begins.
// CHECK-LABEL: func @strided_lanes
// CHECK-SAME: %[[X:.*]]: memref<1x1x1x39xf32>
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]][{{.*}}], %{{[^,]*}} {in_bounds = [true]}
// CHECK: %[[W:.*]] = vector.transfer_read %[[X]][{{.*}}], %{{[^,]*}} {in_bounds = [true]}
// CHECK: vector.shuffle %[[V]], %[[W]] [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK: arith.maximumf
// CHECK: %[[FEW:.*]] = vector.constant_mask [5] : vector<16xi1>
// CHECK: vector.transfer_read %[[X]]{{.*}}, %[[FEW]]
// CHECK: arith.maximumf
// CHECK-NOT: memref.load
func.func @strided_lanes(%x: memref<1x1x1x39xf32>, %w: memref<1x2xf32>, %o: memref<1x1x1x19xf32>) {
  linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>,
      mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 3, rows = 1, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0, 0, 0, 0]>}
    ins(%x, %w : memref<1x1x1x39xf32>, memref<1x2xf32>) outs(%o : memref<1x1x1x19xf32>)
  return
}

// -----

// A weight stored [out][in] is read along the reduction, transposed in registers and written panel by panel.
// CHECK-LABEL: func @packs_a_transposed_operand
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<1x64x16xf32>
// CHECK: vector.transfer_read %{{.*}} : memref<16x64xf32>, vector<16xf32>
// CHECK: vector.shuffle
// CHECK: vector.transfer_write %{{.*}} : vector<16xf32>, memref<1x64x16xf32>
// CHECK: vector.fma
#packa = affine_map<(m, n, k) -> (m, k)>
#packb = affine_map<(m, n, k) -> (n, k)>
#packc = affine_map<(m, n, k) -> (m, n)>
func.func @packs_a_transposed_operand(%x: memref<32x64xf32>, %y: memref<16x64xf32>, %o: memref<32x16xf32>) {
  linalg.matmul indexing_maps = [#packa, #packb, #packc]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 16, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<32x64xf32>, memref<16x64xf32>) outs(%o : memref<32x16xf32>)
  return
}

// -----

// Lanes along the reduction, added up at the end.
// CHECK-LABEL: func @dot_products
// CHECK: %[[S:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: vector.reduction <add>
// CHECK: vector.from_elements {{.*}} : vector<4xf32>
#dota = affine_map<(m, n, k) -> (m, k)>
#dotb = affine_map<(m, n, k) -> (n, k)>
#dotc = affine_map<(m, n, k) -> (m, n)>
func.func @dot_products(%x: memref<1x64xf32>, %y: memref<4x64xf32>, %o: memref<1x4xf32>) {
  linalg.matmul indexing_maps = [#dota, #dotb, #dotc]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = dot, lane_dim = 1, reduction_dim = 2, rows = 1, columns = 4, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<1x64xf32>, memref<4x64xf32>) outs(%o : memref<1x4xf32>)
  return
}

// -----

// A consumer that sees the result transposed is not part of the group: it stays an op of its own behind the loops.
// CHECK-LABEL: func @transposed_consumer_stays_apart
// CHECK: vector.fma
// CHECK: vector.transfer_write
// CHECK: linalg.generic
// CHECK: math.absf {{.*}} : f32
func.func @transposed_consumer_stays_apart(%x: memref<16x64xf32>, %y: memref<64x16xf32>, %m: memref<16x16xf32>, %o: memref<16x16xf32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<16x64xf32>, memref<64x16xf32>) outs(%m : memref<16x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m : memref<16x16xf32>) outs(%o : memref<16x16xf32>) {
  ^bb0(%p: f32, %s: f32):
    %0 = math.absf %p : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A long sum is made of the sums of blocks of equal size, each begun at zero.
// CHECK-LABEL: func @long_sums
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG: %[[BLOCK:.*]] = arith.constant 500 : index
// CHECK: %[[TOTAL:.*]] = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[BLOCK]] iter_args(%[[T:.*]] = %{{.*}})
// CHECK:   %[[SUM:.*]] = scf.for %{{.*}} = %[[K]] to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK:     vector.fma
// CHECK:   %[[NEXT:.*]] = arith.addf %[[T]], %[[SUM]] : vector<16xf32>
// CHECK:   scf.yield %[[NEXT]]
// CHECK: vector.transfer_write %[[TOTAL]]
func.func @long_sums(%x: memref<1x1000xf32>, %y: memref<1000x16xf32>, %o: memref<1x16xf32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, rows = 1, columns = 16, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<1x1000xf32>, memref<1000x16xf32>) outs(%o : memref<1x16xf32>)
  return
}

// -----

// Four bytes of a row times four bytes of each of 16 columns by one instruction. Ten steps are two groups and a half:
// the last two steps are zeros in the packed factor, and not read in the other. Both factors are signed, so that the
// packed one is moved by 128, and 128 times the sum of each row is taken away.
// CHECK-LABEL: func @bytes
// CHECK-SAME: %[[X:.*]]: memref<8x10xi8>, %[[Y:.*]]: memref<10x16xi8>
// CHECK-DAG: %[[SIGN:.*]] = arith.constant dense<-128> : vector<16xi8>
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0> : vector<16xi8>
// CHECK-DAG: %[[PACKED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x3x64xi8>
// CHECK: %[[ROW:.*]] = vector.transfer_read %[[Y]]{{.*}} vector<16xi8>
// CHECK: arith.xori %[[ROW]], %[[SIGN]]
// CHECK: vector.interleave {{.*}} : vector<16xi8> -> vector<32xi8>
// CHECK: vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: vector.interleave %{{.*}}, %[[NONE]]
// CHECK: %[[SUMS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xi32>
// CHECK: vector.reduction <add>
// CHECK: %[[FOUR:.*]] = vector.transfer_read %[[X]]{{.*}} vector<4xi8>
// CHECK: %[[WORD:.*]] = vector.bitcast %[[FOUR]] : vector<4xi8> to vector<1xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// CHECK: %[[REST:.*]] = vector.constant_mask [2] : vector<4xi1>
// CHECK: vector.transfer_read %[[X]]{{.*}}, %[[REST]] {in_bounds = [true]} : memref<8x10xi8>, vector<4xi8>
func.func @bytes(%x: memref<8x10xi8>, %y: memref<10x16xi8>, %o: memref<8x16xi32>) {
  linalg.matmul {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = interleaved, lane_dim = 1, row_dim = 0, reduction_dim = 2, rows = 8, columns = 16, lanes = 16, pack_operand = 1, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<8x10xi8>, memref<10x16xi8>) outs(%o : memref<8x16xi32>)
  return
}

// -----

// Rows of 3 results are too short for vectors. Vectors of 16 rows are summed, one for each of the 3 columns, and the finished block is
// transposed: 4 stages of shuffles make a vector of 3 results, and 13 elements that are not stored, for each row.
// CHECK-LABEL: func @short_rows
// CHECK-SAME: %[[X:.*]]: memref<8x16xf32>, %[[Y:.*]]: memref<8x3xf32>, %[[O:.*]]: memref<16x3xf32>
// CHECK: %[[MASK:.*]] = vector.constant_mask [3] : vector<16xi1>
// CHECK: %[[S:.*]]:3 = scf.for %[[K:.*]] = {{.*}} iter_args
// CHECK: vector.transfer_read %[[X]][%[[K]], %{{.*}}], %{{.*}} {in_bounds = [true]} : memref<8x16xf32>, vector<16xf32>
// CHECK-COUNT-3: memref.load %[[Y]][%[[K]],
// CHECK: vector.shuffle %[[S]]#0, %[[S]]#2 [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK-COUNT-16: vector.transfer_write %{{.*}}, %[[O]]{{.*}}, %[[MASK]]
// CHECK-NOT: vector.transfer_write
func.func @short_rows(%x: memref<8x16xf32>, %y: memref<8x3xf32>, %o: memref<16x3xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = transposed, lane_dim = 1, row_dim = 0, rows = 16, columns = 3, lanes = 16, order = lanes_outer, tile_sizes = [0, 0, 0]>}
    ins(%x, %y : memref<8x16xf32>, memref<8x3xf32>) outs(%o : memref<16x3xf32>)
  return
}
