// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-cpu-tile-and-fuse-rows),cse)' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A reduction and what reads it: one loop over rows, the intermediate a row's.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    mica_sched.strategy = "rows"
// CHECK:         scf.forall (%[[I:.*]]) in (64) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<64x2048xf32>)
// CHECK:           %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [1, 2048] [1, 1]
// CHECK:           %[[S:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<1x2048xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK:           %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[S]] : tensor<1x2048xf32>, tensor<1xf32>)
// CHECK:           tensor.parallel_insert_slice %[[R]] into %[[OUT]][%[[I]], 0] [1, 2048] [1, 1]
// CHECK:         {mica_codegen.distribute = {{[0-9]+}} : i64}
func.func @chain(%a: memref<64x2048xf32>, %o: memref<64x2048xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<64x2048xf32> to tensor<64x2048xf32>
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<64xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%zero : f32) outs(%er : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x2048xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x2048xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x2048xf32>, tensor<64xf32>) outs(%e : tensor<64x2048xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<64x2048xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<64x2048xf32>, memref<64x2048xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Short rows: several at a time. The position in the whole is still the position in the whole.
// CHECK-LABEL: func.func @short_rows
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (6000) step (100)
// CHECK:           linalg.generic
// CHECK:             %[[P:.*]] = linalg.index 0 : index
// CHECK:             affine.apply {{.*}}(%[[I]])[%[[P]]]
func.func @short_rows(%o: memref<6000x10xindex>) {
  %e = tensor.empty() : tensor<6000x10xindex>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<6000x10xindex>) {
  ^bb0(%out: index):
    %0 = linalg.index 0 : index
    linalg.yield %0 : index
  } -> tensor<6000x10xindex>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<6000x10xindex>, memref<6000x10xindex>) -> ()
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// One long dimension: blocks of it, the last one shorter.
// CHECK-LABEL: func.func @blocks
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (100000) step (4096)
// CHECK:           %[[N:.*]] = affine.min {{.*}}(%[[I]])
// CHECK:           tensor.extract_slice %{{.*}}[%[[I]]] [%[[N]]] [1]
func.func @blocks(%a: memref<100000xf32>, %o: memref<100000xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<100000xf32> to tensor<100000xf32>
  %e = tensor.empty() : tensor<100000xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<100000xf32>) outs(%e : tensor<100000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<100000xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<100000xf32>, memref<100000xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// A sum of everything has no dimension to divide.
// CHECK-LABEL: func.func @whole
// CHECK-SAME:    mica_sched.strategy = "general (no dimension along which every op is parallel)"
// CHECK-NOT:     scf.forall
func.func @whole(%a: memref<1000xf32>, %o: memref<f32>) {
  %x = bufferization.to_tensor %a restrict : memref<1000xf32> to tensor<1000xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<1000xf32>) outs(%z : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<f32>, memref<f32>) -> ()
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// A kernel that another strategy took stays as it is.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @taken
// CHECK-SAME:    mica_sched.strategy = "matmul"
// CHECK-NOT:     scf.forall
func.func @taken(%a: memref<1000xf32>, %o: memref<1000xf32>) attributes {mica_sched.strategy = "matmul"} {
  %x = bufferization.to_tensor %a restrict : memref<1000xf32> to tensor<1000xf32>
  %e = tensor.empty() : tensor<1000xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1000xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<1000xf32>, memref<1000xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// A transpose, fused with an op: tiles of both dimensions, the last one shorter.
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME:    mica_sched.strategy = "rows"
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (2048, 1000) step (64, 64)
// CHECK:           %[[N:.*]] = affine.min {{.*}}(%[[J]])
// CHECK:           tensor.extract_slice %{{.*}}[%[[J]], %[[I]]] [%[[N]], 64] [1, 1] : tensor<1000x2048xf32>
// CHECK:           tensor.extract_slice %{{.*}}[%[[I]], %[[J]]] [64, %[[N]]] [1, 1] : tensor<2048x1000xf32>
func.func @transpose(%a: memref<1000x2048xf32>, %b: memref<2048x1000xf32>, %o: memref<2048x1000xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<1000x2048xf32> to tensor<1000x2048xf32>
  %y = bufferization.to_tensor %b restrict : memref<2048x1000xf32> to tensor<2048x1000xf32>
  %e = tensor.empty() : tensor<2048x1000xf32>
  %r = linalg.generic {indexing_maps = [#swapped, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1000x2048xf32>, tensor<2048x1000xf32>) outs(%e : tensor<2048x1000xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.addf %in, %other : f32
    linalg.yield %0 : f32
  } -> tensor<2048x1000xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<2048x1000xf32>, memref<2048x1000xf32>) -> ()
  return
}

// -----

#out = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#reversed = affine_map<(d0, d1, d2) -> (d2, d1, d0)>

// A side shorter than a tile is whole, and the other one longer for it.
// CHECK-LABEL: func.func @short_side(
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (4096, 30, 8) step (512, 1, 8)
// CHECK:           tensor.extract_slice %{{.*}} [8, 1, 512] [1, 1, 1] : tensor<8x30x4096xf32>
func.func @short_side(%a: memref<8x30x4096xf32>, %o: memref<4096x30x8xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<8x30x4096xf32> to tensor<8x30x4096xf32>
  %e = tensor.empty() : tensor<4096x30x8xf32>
  %r = linalg.generic {indexing_maps = [#reversed, #out], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x30x4096xf32>) outs(%e : tensor<4096x30x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4096x30x8xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4096x30x8xf32>, memref<4096x30x8xf32>) -> ()
  return
}
