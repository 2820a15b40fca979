// RUN: mica-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(mica-gpu-convert-portable-ids))' | FileCheck %s --check-prefix=ROCM
// RUN: not mica-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(mica-gpu-convert-portable-ids{abi=spirv}))' 2>/dev/null | FileCheck %s --check-prefix=SPIRV
// MUTATION: stays green, the option is refused before the pass runs.
// RUN: not mica-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(mica-gpu-convert-portable-ids{abi=metal}))' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: Cannot find option named 'metal'

// A size that is known is a number.
// ROCM-LABEL: func.func @k(
// ROCM: rocdl.workitem.id.x range <i32, 0, 256> : i32
// ROCM: rocdl.workgroup.id.y : i32
// ROCM: arith.constant 256 : index

// SPIRV: llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64 attributes {memory_effects = {{.*}}, no_unwind, will_return}
// SPIRV: llvm.func spir_funccc @_Z12get_local_idj(i32) -> i64
// SPIRV-LABEL: func.func @k(
// SPIRV: llvm.mlir.constant(0 : i32)
// SPIRV: llvm.call spir_funccc @_Z12get_local_idj
// SPIRV: llvm.mlir.constant(1 : i32)
// SPIRV: llvm.call spir_funccc @_Z12get_group_idj
// SPIRV: arith.constant 256 : index
gpu.module @device {
  func.func @k(%a: memref<?x?x?xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %j = gpu.block_id y
    %n = gpu.block_dim x
    memref.store %v, %a[%i, %j, %n] : memref<?x?x?xf32>
    return
  }
}

// -----

gpu.module @device {
  func.func @k() {
    // expected-error @+1 {{'gpu.barrier' op has no code for AMD GPUs}}
    gpu.barrier
    return
  }
}

// -----

gpu.module @device {
  func.func @k() -> index {
    // expected-error @+1 {{'gpu.grid_dim' op has no code for AMD GPUs where the size is not known}}
    %n = gpu.grid_dim x
    return %n : index
  }
}
