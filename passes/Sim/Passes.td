//===- Passes.td - passes of the area Sim ---------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SIM_PASSES
#define MICA_PASSES_SIM_PASSES

include "mlir/Pass/PassBase.td"

def ExpandCollectives : Pass<"mica-sim-expand-collectives", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Reductions of blocks and subgroups as shuffles";
  let description = [{
    `gpu.all_reduce` and `gpu.subgroup_reduce` become shuffles, workgroup memory and barriers, `gpu.global_id` arithmetic, by
    upstream's patterns.

    On exit: none of the three.

    Example:

    ```mlir
    %s = gpu.subgroup_reduce add %x : (f32) -> f32
    // becomes
    %0, %valid = gpu.shuffle xor %x, %c1, %c32 : f32
    %1 = arith.addf %x, %0 : f32
    // and so on for 2, 4, 8 and 16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::index::IndexDialect", "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
}

def ConvertGpuToSim : Pass<"convert-gpu-to-sim", "::mlir::ModuleOp"> {
  let summary = "Make functions of GPU kernels, for the simulator";
  let description = [{
    On entry: kernels in `gpu.module`s, launched by `gpu.launch_func`; reductions are expanded. On exit: of `gpu`, `nvgpu` and
    `nvvm` only ids of threads and blocks. Each kernel is a function that calls markers (passes/Sim/Markers.h) for what threads ask of the simulator, each
    launch a call of a marker. Workgroup memory has the memory space 3. Operations that the simulator does not know are
    errors that name them: wgmma, TMA, mbarrier, clusters. Memory of the device is the host's, so copies between them are
    copies; what is asynchronous on the host is done at once.

    Example:

    ```mlir
    gpu.barrier
    %i = gpu.lane_id
    // becomes
    call @mica_sim_point_0() : () -> ()
    %i = call @mica_sim_lane_3() : () -> index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def CheckAccesses : Pass<"mica-sim-check-accesses", "::mlir::ModuleOp"> {
  let summary = "Check the accesses of the simulator's kernels";
  let description = [{
    Says on each kernel what it checks (`mica_sim.checks`), and for `bounds` runs mica-check-insert and mica-check-prove on it,
    so that what lies outside is not touched, and reported by the simulator. `cf.assert` is reported likewise. Ids of threads and blocks
    become calls of markers last: proofs need their ranges.

    Example:

    ```mlir
    memref.store %v, %a[%i] : memref<?xf32>
    // becomes
    %ok = arith.cmpi ult, %i, %n : index
    scf.if %ok {
      memref.store %v, %a[%i] : memref<?xf32>
    } else {
      func.call @mica_sim_report_0(%i, %c1, %n) : (index, index, index) -> ()
    }
    ```
  }];
  let options = [Option<"checks", "checks", "std::string", "\"all\"",
                        "bounds, race, init, barrier, async, alignment, bank, coalescing, joined by +; all is the first six; none">,
                 Option<"kernels", "kernels", "std::string", "\"*\"",
                        "names of the kernels that are checked, joined by +; * and ? stand for any text and any character">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def SplitKernels : Pass<"mica-sim-split-kernels", "::mlir::ModuleOp"> {
  let summary = "Cut kernels of the simulator at their convergence points";
  let description = [{
    On entry: kernels in the LLVM dialect that call markers. On exit: for each point of a kernel a function that runs the threads
    of one warp which wait there to their next points, tables of regions, points and sites, and a function per launch
    (include/mica/ABI/Sim.h). Values that live across a point go through the thread's frame; what is arithmetic of ids and
    arguments is computed anew. Accesses get their tests of shadows, as far as the kernel is to have them. A loop whose end depends on
    memory alone gets a point of its own, at which its thread lets the others go on.

    Example:

    ```mlir
    llvm.func @mica_sim_kernel_k(%a: !llvm.ptr) attributes {mica_sim.kernel = "k"} {
      llvm.call @mica_sim_point_0() : () -> ()
      llvm.return
    }
    // becomes
    llvm.func internal @mica_sim_kernel_k_region_0(%warp: !llvm.ptr) // from the beginning to the barrier
    llvm.func internal @mica_sim_kernel_k_region_1(%warp: !llvm.ptr) // from there to the end
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_SIM_PASSES
