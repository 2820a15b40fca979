//===- Passes.td - Simulator pass definitions ----------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_PASSES
#define MICA_PASSES_CODEGEN_SIM_PASSES

include "mlir/Pass/PassBase.td"

def ExpandCollectives : Pass<"mica-sim-expand-collectives", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand reductions into shuffles and NVVM's ops into those of `gpu`";
  let description = [{
    Rewrites `gpu.all_reduce` and `gpu.subgroup_reduce` into shuffles, workgroup memory and barriers, and
    `gpu.global_id` into arithmetic, with upstream's patterns. Registers of thread and block ids, `nvvm.shfl.sync`,
    `nvvm.elect.sync` and `nvvm.redux.sync` become ops of `gpu`; fences are removed.

    Postcondition: none of the three `gpu` ops is left.

    Example:

    ```mlir
    %s = gpu.subgroup_reduce add %x : (f32) -> f32
    // becomes
    %0, %valid = gpu.shuffle xor %x, %c1, %c32 : f32
    %1 = arith.addf %x, %0 : f32
    // and so on for 2, 4, 8 and 16
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::index::IndexDialect", "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
}

def ConvertNvgpu : Pass<"mica-sim-convert-nvgpu", "::mlir::ModuleOp"> {
  let summary = "Convert mbarriers, TMA and warpgroup products of `nvgpu` to the NVVM dialect";
  let description = [{
    Converts the ops of `nvgpu` that devices have from sm_90 on with upstream's patterns, and replaces their types in loops,
    branches and signatures. Other ops of `nvgpu` stay. Element types and shapes that upstream's patterns do not take are
    errors.

    Postcondition: of `nvgpu`, only asynchronous copies, `ldmatrix` and `mma.sync` are left.

    Example:

    ```mlir
    nvgpu.mbarrier.init %b[%c0], %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    // becomes
    nvvm.mbarrier.init %pointer, %count : !llvm.ptr<3>, i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect"];
}

def ConvertGpuToSim : Pass<"convert-gpu-to-sim", "::mlir::ModuleOp"> {
  let summary = "Convert GPU kernels to functions that the simulator runs";
  let description = [{
    Moves each kernel out of its `gpu.module` into a function of the host module. Inside it, what a thread needs
    from the simulator, such as a barrier, a shuffle or an asynchronous copy, becomes a call of a marker
    function (passes/Codegen/Sim/Markers.h). Each launch becomes a call of a marker as well. Workgroup memory gets
    memory space 3. A matrix that the threads of a warp hold together (`!gpu.mma_matrix`) becomes a vector of each
    thread's elements. Device memory is host memory, so transfers between the two become plain copies; asynchronous
    host operations run synchronously.

    Precondition: kernels are in `gpu.module`s and are launched by `gpu.launch_func`; collectives are expanded
    (mica-sim-expand-collectives), and ops of sm_90 are in the NVVM dialect (mica-sim-convert-nvgpu). Postcondition:
    thread and block ids are the only ops of `gpu`, `nvgpu` and `nvvm` that are left. An op that the simulator does not
    support (barriers and memory of a cluster, clocks) is an error.

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
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::mica::check::MicaCheckDialect"];
}

def CheckAccesses : Pass<"mica-sim-check-accesses", "::mlir::ModuleOp"> {
  let summary = "Instrument simulated kernels with bounds checks";
  let description = [{
    Records on each kernel which checks it performs (`mica_sim.checks`). With `bounds`, runs mica-check-insert
    and mica-check-prove on it: accesses out of bounds are skipped and reported to the simulator, and so are
    failed `cf.assert`s. Thread and block ids become calls of markers last, because the proofs use their ranges.

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
                        "Checks to perform, joined by +: bounds, race, init, barrier, async, alignment (all: these "
                        "six); the hints bank, coalescing, barrier-use; or none">,
                 Option<"kernels", "kernels", "std::string", "\"*\"",
                        "Names of the kernels to check, joined by +; * matches any string and ? any character">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def SplitAtBarriers : Pass<"mica-sim-split-at-barriers", "::mlir::ModuleOp"> {
  let summary = "Split simulated kernels into regions at their convergence points";
  let description = [{
    A convergence point is an op at which threads wait for each other, such as a barrier or a shuffle. For the
    beginning of a kernel and for each point, the pass creates a function that runs the threads of one warp from
    there to their next points. It also creates tables of the regions, points and sites, and a function per
    launch (include/mica/ABI/Sim.h). Values that are live across a point are spilled to the thread's frame;
    arithmetic on ids and arguments is recomputed instead. Accesses are instrumented with shadow memory tests as
    `mica_sim.checks` requires. A loop that only waits for memory to change gets a point of its own, at which
    its thread lets other threads run.

    Precondition: kernels are in the LLVM dialect and call markers.

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
  let dependentDialects = ["::mlir::DLTIDialect", "::mlir::LLVM::LLVMDialect"];
}

def ReturnSimStatusPass : Pass<"mica-sim-return-status", "::mlir::ModuleOp"> {
  let summary = "Return from a kernel whether the simulator reported an error";
  let description = [{
    Replaces the assertions behind simulated launches, which the host side of a kernel cannot evaluate, by
    updates of a status that is passed down from `mica_kernel_<name>`. That function returns
    MICA_STATUS_CHECK_FAILED if the simulator reported an error in one of the launches; the simulator has the
    details.

    Precondition: a kernel in the LLVM dialect, in which each launch is followed by an assertion that the
    simulator reported nothing.

    Example:

    ```mlir
    llvm.call @mica_plain_assert(%fine, %message) : (i1, !llvm.ptr) -> ()
    // becomes
    %old = llvm.load %status : !llvm.ptr -> i32
    %new = llvm.select %fine, %old, %failed : i1, i32
    llvm.store %new, %status : i32, !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_CODEGEN_SIM_PASSES
