// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-reduction-config))' | FileCheck %s
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-gpu-select-reduction-config))' -remarks-filter=.* 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0) -> (d0)>

// What makes a number per row, and what uses it for the row's elements, is one group; 768 floats are 192 accesses of 16 bytes.
// SAID: 32 threads per row, 4 elements at once, for 3 operations
// CHECK-LABEL: func.func @group(
// CHECK-COUNT-3: mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4, reason = "{{[^"]+}}">
func.func @group(%a: memref<64x768xf32>, %o: memref<64x768xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%sum : memref<64xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<64x768xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]} ins(%a, %sum : memref<64x768xf32>, memref<64xf32>) outs(%o : memref<64x768xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %0 = arith.divf %in, %total : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#flipped = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

// The second op reads what other rows' teams write: it is no member. Long rows get more threads; nobody knows the second one's.
// CHECK-LABEL: func.func @others_rows(
// CHECK:         ins(%{{.*}} : memref<8192x8192xf32>) outs({{.*}} attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 256, elements = 4, reason = "{{[^"]+}}">}
// CHECK:         ins({{.*}}) outs({{.*}}) {
// CHECK:         ins(%{{.*}} : memref<?x?xf32>) outs({{.*}} attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 1, threads = 128, elements = 1, reason = "{{[^"]+}}">}
func.func @others_rows(%a: memref<8192x8192xf32>, %m: memref<8192xf32>, %o: memref<8192x8192xf32>, %d: memref<?x?xf32>, %e: memref<?xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8192x8192xf32>) outs(%m : memref<8192xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#flipped, affine_map<(d0, d1) -> (d1)>, #both], iterator_types = ["parallel", "parallel"]} ins(%a, %m : memref<8192x8192xf32>, memref<8192xf32>) outs(%o : memref<8192x8192xf32>) {
  ^bb0(%in: f32, %most: f32, %out: f32):
    %0 = arith.subf %in, %most : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%d : memref<?x?xf32>) outs(%e : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// A thread's: what is short, and sums over columns, whose results lie side by side. Neither is a loss.
// MUTATION: stays green, no config is for it.
// CHECK-LABEL: func.func @threads(
// CHECK-NOT:     #mica_codegen.gpu_reduction_config
func.func @threads(%a: memref<64x16xf32>, %m: memref<64xf32>, %n: memref<16xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<64x16xf32>) outs(%m : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #column], iterator_types = ["reduction", "parallel"]} ins(%a : memref<64x16xf32>) outs(%n : memref<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Where the largest lies depends on two results at once: threads cannot combine what they have by one operation each.
// SAID-COUNT-1: a thread per result: its results are not combined by one operation each
// MUTATION: stays green, no config is for it.
// CHECK-LABEL: func.func @argmax(
// CHECK-NOT:     #mica_codegen.gpu_reduction_config
func.func @argmax(%a: memref<64x100xf32>, %m: memref<64xf32>, %at: memref<64xindex>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<64x100xf32>) outs(%m, %at : memref<64xf32>, memref<64xindex>) {
  ^bb0(%in: f32, %most: f32, %place: index):
    %i = linalg.index 1 : index
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %i, %place : index
    linalg.yield %0, %1 : f32, index
  }
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#inner = affine_map<(d0, d1) -> (d1)>

// A matrix of 8 bits with a scale per row times a vector: the scales lie side by side along the rows, and are read once for each.
// SAID: 32 threads per row, 8 elements at once, for 1 operation
// CHECK-LABEL: func.func @scaled(
// CHECK: mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 8, reason = "{{[^"]+}}">
func.func @scaled(%q: memref<384x512xi8>, %s: memref<384xf16>, %x: memref<512xf16>, %sum: memref<384xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #inner, #row], iterator_types = ["parallel", "reduction"]} ins(%q, %s, %x : memref<384x512xi8>, memref<384xf16>, memref<512xf16>) outs(%sum : memref<384xf32>) {
  ^bb0(%a: i8, %b: f16, %c: f16, %out: f32):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.extf %c : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %out, %4 : f32
    linalg.yield %5 : f32
  }
  return
}
