// RUN: mica-opt %s -split-input-file --mica-cpu-tile-contraction | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The fill in front and the consumer behind end up in the tile; the long reduction is cut inside.
// CHECK-LABEL: func @fuses_init_and_consumer
// CHECK-SAME: %[[O:[a-z0-9]+]]: tensor<64x128xf32>) ->
// CHECK: %[[R:.*]] = scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (64, 128) step (16, 32) shared_outs(%[[S:.*]] = %[[O]])
// CHECK:   %[[F:.*]] = linalg.fill
// CHECK:   %[[M:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[F]])
// CHECK:     linalg.generic {{.*}} ins({{.*}} : tensor<16x128xf32>, tensor<128x32xf32>) outs(%[[ACC]] : tensor<16x32xf32>) attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config
// CHECK:   %[[N:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<16x32xf32>)
// CHECK:   tensor.parallel_insert_slice %[[N]] into %[[S]][%[[I]], %[[J]]] [16, 32]
// CHECK: } {mica_codegen.distribute}
// CHECK: return %[[R]]
func.func @fuses_init_and_consumer(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%f : tensor<64x128xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [16, 32, 128]>} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x128xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<64x128xf32>) outs(%o : tensor<64x128xf32>) {
  ^bb0(%p: f32, %s: f32):
    %0 = arith.maximumf %p, %z : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Two consumers that do not know of each other: the loop computes the last one, the other reads what the loop gives.
// CHECK-LABEL: func @second_consumer_comes_after_the_loop
// CHECK: %[[R:.*]]:2 = scf.forall
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[R]]#1 : tensor<64x128xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   math.absf
// CHECK: return %[[N]], %[[R]]#0
func.func @second_consumer_comes_after_the_loop(%x: tensor<64x256xf32>, %y: tensor<256x128xf32>, %o: tensor<64x128xf32>)
    -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x256xf32>, tensor<256x128xf32>) outs(%f : tensor<64x128xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [16, 32, 128]>} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x128xf32>
  %first = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%p: f32, %q: f32):
    %0 = math.absf %p : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %last = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<64x128xf32>) outs(%o : tensor<64x128xf32>) {
  ^bb0(%p: f32, %q: f32):
    %0 = math.exp %p : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %first, %last : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// How far the loop goes is not asked of what it gives.
// CHECK-LABEL: func @both_leave_the_loop
// CHECK: scf.forall
// CHECK: return
func.func @both_leave_the_loop(%x: tensor<64x8xf32>, %y: tensor<8x?xf32>, %o: tensor<64x?xf32>, %f: tensor<64x?xf32>)
    -> (tensor<64x?xf32>, tensor<64x?xf32>) {
  %z = arith.constant 0.0 : f32
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x8xf32>, tensor<8x?xf32>) outs(%f : tensor<64x?xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 8, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [16, 32, 8]>} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<64x?xf32>) outs(%o : tensor<64x?xf32>) {
  ^bb0(%p: f32, %s: f32):
    %0 = arith.maximumf %p, %z : f32
    linalg.yield %0 : f32
  } -> tensor<64x?xf32>
  return %m, %r : tensor<64x?xf32>, tensor<64x?xf32>
}

// -----

// The index of a tiled loop is computed by arithmetic, which has a vector form, unlike affine.apply: argmax along columns.
// CHECK-LABEL: func @index_of_a_tiled_loop
// CHECK: scf.for %[[K:.*]] = %c0 to %c256 step %c16
// CHECK: linalg.generic
// CHECK-NOT: affine.apply
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: arith.index_cast %[[AT]] : index to i64
func.func @index_of_a_tiled_loop(%x: tensor<256x64xf32>, %y: tensor<64xf32>, %o: tensor<64xi64>) -> tensor<64xi64> {
  %none = arith.constant 999 : i64
  %m = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (n)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x, %y : tensor<256x64xf32>, tensor<64xf32>) outs(%o : tensor<64xi64>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, rows = 1, columns = 64, lanes = 8, order = lanes_outer, tile_sizes = [16, 0]>} {
  ^bb0(%p: f32, %q: f32, %s: i64):
    %0 = arith.cmpf oeq, %p, %q : f32
    %1 = linalg.index 0 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.select %0, %2, %none : i64
    %4 = arith.minsi %s, %3 : i64
    linalg.yield %4 : i64
  } -> tensor<64xi64>
  return %m : tensor<64xi64>
}
