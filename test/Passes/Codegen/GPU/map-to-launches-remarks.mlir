// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-map-to-launches))' -remarks-filter='.*' 2>&1 | FileCheck %s

// A configuration that does not fit its operations is not dropped in silence.
// CHECK: [[# @LINE + 3]]:3: remark: [Missed] config-not-applied {{.*}}Rejected="one launch for the group"{{.*}}Selected="a launch for each operation"
// CHECK: gpu.launch
func.func @alone(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
      attrs = {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = workgroup_tiles, group = 0, tile = [32, 32, 16], part = [4, 4], stages = 2>} {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}
