// RUN: mica-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(func.func(mica-gpu-map-to-launches))'
// What a configuration asks of the types in its tiles.

func.func @steps_of_half_an_instruction(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  // expected-error @+1 {{'linalg.generic' op 'mica_codegen.lowering_config': (C4) 16 steps of 'i8' with tensor_cores, expected a multiple of 32}}
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 16], part = [32, 32], stages = 2>} {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

func.func @more_than_workgroup_memory(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{(C5) 8 stages of 16384 bytes, expected at most 49152 bytes of workgroup memory: 3 or fewer}}
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 64], part = [32, 32], stages = 8>} {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

func.func @tf32_of_halves(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{(C6) tf32 with inputs of 'f16', expected f32}}
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32], part = [32, 32], stages = 2, tf32 = true>} {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

func.func @tensor_cores_without_tf32(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{(C6) strategy = tensor_cores: they have no product of f32 that is summed in f32 with all its digits}}
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 16], part = [32, 32], stages = 2>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

func.func @steps_of_half_a_copy(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{(C8) a tile of 32 x 12, expected 4, 8, 16 or multiples of 32: inputs of 'f32' are copied in swizzled pieces of 16 bytes}}
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = workgroup_tiles, group = 0, tile = [32, 32, 12], part = [4, 4], stages = 2>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @access_beyond_16_bytes(%a: memref<40x200xf32>, %sum: memref<40xf32>) {
  // expected-error @+1 {{(C5) elements = 16, expected 1, 2 or 4: an access of a thread has at most 16 bytes, and divides a row of 200 elements}}
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<40x200xf32>) outs(%sum : memref<40xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 16>} {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %s, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @odd_row(%a: memref<40x201xf32>, %sum: memref<40xf32>) {
  // expected-error @+1 {{(C5) elements = 2, expected 1: the elements of a row are not known to lie side by side, or their number is odd or dynamic}}
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<40x201xf32>) outs(%sum : memref<40xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 2>} {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %s, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @ops_of_a_group_disagree(%a: memref<40x200xf32>, %sum: memref<40xf32>, %o: memref<40x200xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<40x200xf32>) outs(%sum : memref<40xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>} {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %s, %x : f32
    linalg.yield %0 : f32
  }
  // expected-error @+1 {{(C6) threads = 64, elements = 4, expected 32 and 4 as in the first operation of group 0: the group is one launch}}
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]} ins(%a, %sum : memref<40x200xf32>, memref<40xf32>) outs(%o : memref<40x200xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 64, elements = 4>} {
  ^bb0(%x: f32, %s: f32, %out: f32):
    %0 = arith.subf %x, %s : f32
    linalg.yield %0 : f32
  }
  return
}
