// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(mica-cpu-tile-and-fuse-rows{product-bytes=131072},cse,mica-cpu-plan-row-contractions{vector-bits=256 l2-bytes=262144}))' | FileCheck %s
// RUN: mica-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(mica-cpu-tile-and-fuse-rows{product-bytes=131072},cse,mica-cpu-plan-row-contractions{vector-bits=256 l2-bytes=262144},canonicalize,cse),one-shot-bufferize{function-boundary-type-conversion=identity-layout-map},func.func(cse,mica-cpu-vectorize-contraction))' | FileCheck %s --check-prefix=VECTORS

#score = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#key = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#value = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

// A worker takes 256 rows in blocks of 32, whose scores (32 x 512) stay in the cache. Each product has a config.
// CHECK-LABEL: func.func @attention
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (12, 2048) step (1, 256)
// CHECK:         %[[K:.*]] = tensor.extract_slice %{{.*}} [1, 512, 64] [1, 1, 1]
// CHECK:         scf.for %{{.*}} = %c0 to %c256 step %c32
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %[[K]] : tensor<1x32x64xf32>, tensor<1x512x64xf32>) outs(%{{.*}} : tensor<1x32x512xf32>)
// CHECK-SAME:        #mica_codegen.contraction_config<form = outer, {{.*}} pack_operand = 1, {{.*}} tile_sizes = [0, 0, 0, 0]
// CHECK:           linalg.generic {{.*}} outs(%{{.*}} : tensor<1x32xf32>)
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x32x512xf32>, tensor<1x512x64xf32>)
// CHECK-SAME:        #mica_codegen.contraction_config<form = outer
// CHECK:           tensor.insert_slice
// CHECK:       {mica_codegen.distribute

// What is packed of the keys is the same for all blocks: it is packed before their loop.
// VECTORS-LABEL: func.func @attention
// VECTORS:       scf.forall
// VECTORS:         %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<32x64x16xf32>
// VECTORS:         vector.transfer_write %{{.*}}, %[[PANELS]]
// VECTORS:         scf.for %{{.*}} = %c0 to %c256 step %c32
// VECTORS-NOT:       vector.transfer_write %{{.*}}, %[[PANELS]]
// VECTORS:           vector.transfer_read %[[PANELS]]
func.func @attention(%qa: memref<12x2048x64xf32> {mica_sched.access = "read"}, %ka: memref<12x512x64xf32> {mica_sched.access = "read"},
                     %va: memref<12x512x64xf32> {mica_sched.access = "read"}, %o: memref<12x2048x64xf32> {mica_sched.access = "write"}) {
  %q = bufferization.to_tensor %qa restrict : memref<12x2048x64xf32> to tensor<12x2048x64xf32>
  %k = bufferization.to_tensor %ka restrict : memref<12x512x64xf32> to tensor<12x512x64xf32>
  %v = bufferization.to_tensor %va restrict : memref<12x512x64xf32> to tensor<12x512x64xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12x2048x512xf32>
  %z0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%e0 : tensor<12x2048x512xf32>) {
  ^bb0(%a: f32, %x: f32):
    linalg.yield %a : f32
  } -> tensor<12x2048x512xf32>
  %s = linalg.generic {indexing_maps = [#score, #key, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<12x2048x64xf32>, tensor<12x512x64xf32>) outs(%z0 : tensor<12x2048x512xf32>) {
  ^bb0(%a: f32, %b: f32, %x: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %x, %p : f32
    linalg.yield %t : f32
  } -> tensor<12x2048x512xf32>
  %e1 = tensor.empty() : tensor<12x2048xf32>
  %z1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%zero : f32) outs(%e1 : tensor<12x2048xf32>) {
  ^bb0(%a: f32, %x: f32):
    linalg.yield %a : f32
  } -> tensor<12x2048xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<12x2048x512xf32>) outs(%z1 : tensor<12x2048xf32>) {
  ^bb0(%a: f32, %x: f32):
    %t = arith.addf %x, %a : f32
    linalg.yield %t : f32
  } -> tensor<12x2048xf32>
  %e2 = tensor.empty() : tensor<12x2048x512xf32>
  %w = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<12x2048x512xf32>, tensor<12x2048xf32>) outs(%e2 : tensor<12x2048x512xf32>) {
  ^bb0(%a: f32, %b: f32, %x: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<12x2048x512xf32>
  %e3 = tensor.empty() : tensor<12x2048x64xf32>
  %z3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%zero : f32) outs(%e3 : tensor<12x2048x64xf32>) {
  ^bb0(%a: f32, %x: f32):
    linalg.yield %a : f32
  } -> tensor<12x2048x64xf32>
  %r = linalg.generic {indexing_maps = [#score, #value, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v : tensor<12x2048x512xf32>, tensor<12x512x64xf32>) outs(%z3 : tensor<12x2048x64xf32>) {
  ^bb0(%a: f32, %b: f32, %x: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %x, %p : f32
    linalg.yield %t : f32
  } -> tensor<12x2048x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<12x2048x64xf32>, memref<12x2048x64xf32>) -> ()
  return
}
