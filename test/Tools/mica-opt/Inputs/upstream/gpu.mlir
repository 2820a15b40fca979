// pipeline: builtin.module(gpu-kernel-outlining,gpu.module(gpu.func(canonicalize,cse),convert-gpu-to-nvvm,canonicalize),func.func(canonicalize),gpu-to-llvm,reconcile-unrealized-casts)
func.func @main(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<16xf32>
    %u = memref.load %a[%tx] : memref<16xf32>
    %w = arith.addf %v, %u : f32
    memref.store %w, %a[%tx] : memref<16xf32>
    gpu.terminator
  }
  return
}
