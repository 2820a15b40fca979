//===- Passes.td - passes of the area Gpu ---------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_GPU_PASSES
#define MICA_PASSES_GPU_PASSES

include "mlir/Pass/PassBase.td"

def FormLaunchesPass : Pass<"mica-gpu-form-launches", "::mlir::func::FuncOp"> {
  let summary = "Put what a kernel does to its buffers into launches on a GPU";
  let description = [{
    On entry: a kernel on buffers. Its function becomes one of the host that launches: each structured op and each
    parallel loop is a launch with a thread per element of its parallel loops (or per 16 bytes, where an elementwise op allows
    it), whose threads do the loops that are left one step after the other; a run of other operations on memory is a launch of
    one thread. Loops and conditionals around structured ops stay on the host where it knows their bounds. A number that one
    launch computes and another needs lies in a buffer of one element.

    Ops of one row group (mica-gpu-plan-rows) are a launch together, with a team of threads per row, whose warps exchange by shuffles and
    workgroup memory; so are a product and its neighbours (mica-gpu-plan-contractions), with a block of threads per tile of the
    results, which copies tiles of the inputs to a ring in workgroup memory, asynchronously where 16 bytes of them are aligned.

    Threads have no memory to allocate from: what they allocate is made room for before their launch. A size that only launches know
    is replaced by what it cannot exceed.

    A function for which that does not work (a temporary for whose size the host knows no bound) stays as it is, code of
    the host, and says why: `mica_gpu.host_reason`.

    Example:

    ```mlir
    linalg.generic {...} ins(%a : memref<1000x7xf32>) outs(%o : memref<1000x7xf32>) { ... }
    // becomes
    gpu.launch blocks(%bx, %by, %bz) in (28, 1, 1) threads(%tx, %ty, %tz) in (256, 1, 1) module(@device) function(@neg_0) {
      %id = %bx * 256 + %tx
      scf.if %id < 7000 {
        linalg.generic {...} ins(%a[%id / 7, %id mod 7] : memref<1x1xf32, ...>) outs(...) { ... }
      }
    }
    ```
  }];
  let options = [Option<"threads", "threads", "int64_t", "256", "Threads of a block">,
                 Option<"vectorBytes", "vector-bytes", "int64_t", "16",
                        "Bytes that a thread of an elementwise op loads at once; 0: one element">,
                 Option<"hostMemory", "host-memory", "bool", "true",
                        "Threads can allocate memory of the host, as those of the simulator: temporaries that outlive an iteration">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def PlanContractionsPass : Pass<"mica-gpu-plan-contractions", "::mlir::func::FuncOp"> {
  let summary = "Choose how blocks of threads compute products: matmul and what is like it, convolutions";
  let description = [{
    On entry: a kernel on buffers, before loops are collapsed. A structured op of two inputs with loops that sum, loops that move only
    the first input and the result, and ones that move only the second, gets the first strategy of the table that fits. Indices may be sums
    of multiples of loops, as in a convolution, whose rows are then image positions and whose sums go over the window:

    - `tensor_cores`: inputs of f16 or bf16 summed in f32, i8 in i32, f64; with `allow-tf32` f32, whose inputs are rounded to tf32
      then (`tf32` in the plan); devices from sm_80 on
    - `workgroup_tiles`: every type, multiply-adds of threads on tiles in workgroup memory

    The plan is the attribute `mica_codegen.lowering_config` of the op, of the elementwise op before it that says what sums begin with (a number, a
    bias), and of the elementwise op behind it that alone reads the results (bias, activation): mica-gpu-form-launches makes one launch of them. A
    strategy that does not fit is a remark, `strategy-given-up`, with what was taken instead and why. Fewer than 16 rows, columns or
    sums fill no tile: such products keep a thread per result, which is no loss.

    Example:

    ```mlir
    linalg.generic {iterator_types = ["parallel", "parallel", "reduction"], ...} ins(%a, %b : memref<256x512xf16>, memref<512x128xf16>)
      outs(%c : memref<256x128xf32>) { extf, extf, mulf, addf }
    // gets
    {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32],
                                    part = [32, 32], stages = 4>, mica_codegen.keep_loops}
    ```
  }];
  let options = [Option<"computeCapability", "compute-capability", "int64_t", "80", "Ten times the device's version: 80 for sm_80">,
                 Option<"workgroupBytes", "workgroup-bytes", "int64_t", "49152", "Bytes of workgroup memory of a block">,
                 Option<"allowTf32", "allow-tf32", "bool", "false", "Products of f32 may round their inputs to tf32">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect"];
}

def PlanRowsPass : Pass<"mica-gpu-plan-rows", "::mlir::func::FuncOp"> {
  let summary = "Choose reductions whose rows a team of threads shares, with what is done to the rows before and after";
  let description = [{
    On entry: a kernel on buffers. Structured ops one behind the other, of which at least one reduces neighbouring elements, and which
    give each other nothing but numbers per row or elements of the same row, become a row group: a launch with a team per row.
    They get the attribute `mica_codegen.lowering_config`: the group's number, the threads of a team (32 to 512), and how many neighbouring
    elements a thread takes at once. mica-gpu-form-launches makes the launch.

    Reductions of fewer than 17 elements, and those over an outer dimension, whose results lie side by side, stay a thread's. A
    reduction without a plan because of what it does (its results are not combined by one operation with a neutral element) is
    a remark: `strategy-given-up`.

    Example:

    ```mlir
    linalg.generic {iterator_types = ["parallel", "reduction"], ...} ins(%a : memref<64x768xf32>) outs(%sum : memref<64xf32>) { addf }
    linalg.generic {iterator_types = ["parallel", "parallel"], ...} ins(%a, %sum : ...) outs(%o : memref<64x768xf32>) { divf }
    // both get
    {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>}
    ```
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "16",
                        "Bytes that a thread loads at once; 0: one element">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect"];
}

def PlaceTasksPass : Pass<"mica-gpu-place-tasks", "::mlir::ModuleOp"> {
  let summary = "Tasks are those of a device";
  let description = [{
    Every task of every task list gets the device that its kernel will have code for.

    Example:

    ```mlir
    %0 = mica_sched.task @neg(%a, %o) : memref<4xf32>, memref<4xf32>
    // becomes
    %0 = mica_sched.task @neg(%a, %o) {device = "sim:0"} : memref<4xf32>, memref<4xf32>
    ```
  }];
  let options = [Option<"device", "device", "std::string", "\"sim:0\"", "The device, as the runtime names it">];
}

def SinkIntoLaunchesPass : Pass<"mica-gpu-sink-into-launches", "::mlir::func::FuncOp"> {
  let summary = "Views and arithmetic of indices that a launch uses become part of it";
  let description = [{
    So that what the device does to a buffer can be checked there, and what is launched takes whole buffers and numbers.

    Example:

    ```mlir
    %v = memref.subview %a[%i] [16] [1] : memref<?xf32> to memref<16xf32, strided<[1], offset: ?>>
    gpu.launch ... { ... memref.load %v[%j] ... }
    // becomes
    gpu.launch ... {
      %v = memref.subview %a[%i] [16] [1] : memref<?xf32> to memref<16xf32, strided<[1], offset: ?>>
      ... memref.load %v[%j] ...
    }
    ```
  }];
}

def CheckNansPass : Pass<"mica-gpu-check-nans", "::mlir::func::FuncOp"> {
  let summary = "Threads look for NaN and infinities in what they store to the kernel's results";
  let description = [{
    On entry: a kernel with launches on buffers, its checks proved and not yet numbered. Each store of a float, or of a vector of
    them, to an argument that the kernel writes is preceded by a question about its bits, and by a note of what it stores where that
    is not finite: one for NaN, one for infinities. Constants that are finite or -inf (what maxima and masks begin with) are left out.

    Sets `mica_check.finite`: `all` where nothing else writes floats to the kernel's results, so that a kernel that noted nothing
    needs no look of the host; else `some` (atomic additions, buffers that are read too, floats of 8 bits).

    Example:

    ```mlir
    memref.store %x, %o[%i] : memref<?xf32>
    // becomes
    %bits = arith.bitcast %x : f32 to i32
    %magnitude = arith.andi %bits, %c2147483647 : i32
    %odd = arith.cmpi uge, %magnitude, %infinity : i32
    scf.if %odd {
      %nan = arith.cmpi ugt, %magnitude, %infinity : i32
      %inf = arith.cmpi eq, %magnitude, %infinity : i32
      scf.if %nan {
        mica_check.not_finite nan %o[%i] : memref<?xf32>
      }
      scf.if %inf {
        mica_check.not_finite infinity %o[%i] : memref<?xf32>
      }
    }
    memref.store %x, %o[%i] : memref<?xf32>
    ```
  }];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerDeviceChecksPass : Pass<"mica-gpu-lower-checks", "::mlir::ModuleOp"> {
  let summary = "Checks in what is launched write records that the host reads when the task is complete";
  let description = [{
    The kernel's function gets a last argument, its log, whose address the launches with checks take too. A report counts at its site, and
    the first one writes block, thread and numbers: `mica_gpu_check_record_v1` of include/mica/ABI/Gpu.h. Predicates become arithmetic.
    Functions that launch nothing are left to mica-check-lower.

    On entry: sites are numbered. On exit: no mica_check in the gpu.module; `mica_gpu.checks` on the kernel's module.

    Example:

    ```mlir
    mica_check.out_of_bounds load %a[%i] {site = 3 : i64} : memref<?xf32>
    // becomes
    %before = llvm.atomicrmw add %count, %c1 monotonic : !llvm.ptr, i64
    %first = llvm.icmp "eq" %before, %c0 : i64
    scf.if %first { ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def PlaceTemporariesPass : Pass<"mica-gpu-place-temporaries", "::mlir::func::FuncOp"> {
  let summary = "Temporaries of sizes that are known at run time only are memory of the device";
  let description = [{
    On entry: a kernel with launches whose other temporaries lie in its scratch memory. What is left is asked of the device by the number
    of its bytes, and given back at the end of its block.

    Example:

    ```mlir
    %t = memref.alloc(%n) : memref<?xf32>
    gpu.launch ... { ... memref.store %x, %t[%i] ... }
    // becomes
    %bytes = %n * 4, or the largest number where that is none
    %memory = gpu.alloc(%bytes) : memref<?xi8>
    %t = memref.view %memory[%c0][%n] : memref<?xi8> to memref<?xf32>
    gpu.launch ... { ... memref.store %x, %t[%i] ... }
    gpu.dealloc %memory : memref<?xi8>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

def OutlineLaunchesPass : Pass<"mica-gpu-outline-launches", "::mlir::ModuleOp"> {
  let summary = "Make functions of launches in the gpu.module of their kernel";
  let description = [{
    First views, sizes and arithmetic of indices that a launch uses become part of it, so that its parameters are whole buffers and numbers.
    Then upstream's gpu-kernel-outlining makes a `gpu.func` of each, in one `gpu.module` per kernel.

    Example:

    ```mlir
    %v = memref.view %scratch[%c64][] : memref<128xi8> to memref<16xf32>
    gpu.launch ... module(@device) function(@relu_0) { ... memref.load %v[%i] ... }
    // becomes
    gpu.launch_func @device::@relu_0 blocks in (...) threads in (...) args(%scratch : memref<128xi8>)
    ```
  }];
  let dependentDialects = ["::mlir::DLTIDialect", "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect"];
}

def ConvertLaunchesPass : Pass<"mica-gpu-convert-launches", "::mlir::ModuleOp"> {
  let summary = "Launches become calls of the runtime, what they launch functions on addresses and numbers";
  let description = [{
    The wrapper gets a last argument, the place that mica-cpu-convert-kernel-entry makes for launches, and fills a
    `mica_gpu_launch_v1` (include/mica/ABI/Gpu.h) per launch, whose parameters are addresses, dynamic sizes and numbers. The functions of the
    `gpu.module` take the same and are entries (`mica_gpu.entry`); their buffers do not alias. Memory that the wrapper asks for
    (mica-gpu-place-temporaries) comes from the same table; after a request that failed nothing is launched either.

    Example:

    ```mlir
    gpu.launch_func @device::@relu_0 blocks in (%g, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>)
    gpu.func @relu_0(%a: memref<?xf32>) kernel { ... }
    // becomes
    %code = llvm.call %launch(%queue, %call) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
    func.func @relu_0(%a: !llvm.ptr {llvm.noalias, llvm.align = 64 : i64}, %n: i64) attributes {mica_gpu.entry} { ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def MarkEntriesPass : Pass<"mica-gpu-mark-entries", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Functions of the LLVM dialect that the host launches are kernels of the target";
  let description = [{
    The dialects of functions take these attributes on none but their own. Kernels of `spirv` get their buffers as pointers into global
    memory, which their code casts: that dialect's functions know no other pointers from outside.

    Example:

    ```mlir
    llvm.func @relu_0(...) attributes {mica_gpu.entry, gpu.known_block_size = array<i32: 256, 1, 1>}
    // becomes
    llvm.func @relu_0(...) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>}
    // for rocm
    llvm.func @relu_0(...) attributes {rocdl.kernel, rocdl.flat_work_group_size = "256,256", ...}
    // for spirv
    llvm.func spir_kernelcc @relu_0(...) attributes {reqd_work_group_size = array<i32: 256, 1, 1>}
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda\"", "Whose kernels: cuda, rocm or spirv">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

def ConvertIdsPass : Pass<"mica-gpu-convert-ids", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Ids of blocks and threads, barriers and shuffles as NVIDIA's GPUs have them";
  let description = [{
    Barriers and shuffles (of any value up to 64 bits) too. On exit: nothing of the gpu dialect in the module's functions; what is
    none of these is an error that names it.

    Example:

    ```mlir
    %i = gpu.thread_id x
    // becomes, in a function with blocks of 256 threads
    %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 256> : i32
    %i = arith.index_castui %0 : i32 to index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def ConvertPortableIdsPass : Pass<"mica-gpu-convert-portable-ids", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Ids of blocks and threads as AMD's GPUs and OpenCL have them";
  let description = [{
    Sizes that are known are numbers; for `rocm` only those have code, as others would take a library. On exit: nothing of the gpu
    dialect in the module's functions; what is none of the ids and sizes is an error that names it.

    Example:

    ```mlir
    %i = gpu.thread_id x
    // becomes, in a function with blocks of 256 threads
    %0 = rocdl.workitem.id.x range <i32, 0, 256> : i32
    %i = arith.index_castui %0 : i32 to index
    // for spirv
    %0 = llvm.call spir_funccc @_Z12get_local_idj(%c0) : (i32) -> i64
    %i = arith.index_castui %0 : i64 to index
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"rocm\"", "Whose ids: rocm or spirv">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

def ConvertMmaPass : Pass<"mica-gpu-convert-mma", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Products of bf16 matrices by tensor cores as NVVM";
  let description = [{
    For convert-nvgpu-to-nvvm, which knows the other types, and not these.

    Example:

    ```mlir
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    // becomes
    %0 = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%c0, %c1, %c2, %c3] {multiplicandAPtxType = #nvvm.mma_type<bf16>, ...}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::vector::VectorDialect"];
}

def KeepOnHostPass : Pass<"mica-gpu-keep-on-host", "::mlir::func::FuncOp"> {
  let summary = "Kernels that a device has no code for stay on the host";
  let description = [{
    A function with an operation that becomes no instruction of the device and no arithmetic gets the attribute
    `mica_gpu.host_reason`, which names operation and type: functions of f64, for which there is no library. So does one that
    checks sizes (`mica_sched.check_reshape`, `mica_sched.check_sum`): the runtime does that.

    Example:

    ```mlir
    func.func @k(%x: f64) { math.exp %x : f64 ... }
    // becomes
    func.func @k(%x: f64) attributes {mica_gpu.host_reason = "math.exp on f64 has no code for the device"} { ... }
    ```

    For `spirv` so do kernels with bf16, with vectors of other than 1, 2, 3, 4, 8 or 16 elements, and with masked vectors.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda\"", "Whose code: cuda, rocm, sim or spirv">];
}

def ReturnSimStatusPass : Pass<"mica-gpu-return-sim-status", "::mlir::ModuleOp"> {
  let summary = "A kernel says that the simulator found something in one of its launches";
  let description = [{
    On entry: a kernel in the LLVM dialect whose launches assert that the simulator found nothing. On exit: they note it for
    `mica_kernel_<name>`, which returns MICA_STATUS_CHECK_FAILED; the simulator knows what it was.

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

def SplitReductionsPass : Pass<"mica-gpu-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reductions of many elements to few results are made by many blocks, in two steps";
  let description = [{
    On entry: a kernel on buffers. A reduction of at least 16384 elements each to at most 16 results, which mica-gpu-plan-rows would give
    a block per result, becomes two: its outermost loop that sums is cut in up to 256 parts, whose results go to a temporary,
    and these are reduced to the result. Where no number of parts divides the loop, what is left is reduced by itself. A reduction that
    mica-gpu-plan-rows leaves a thread per result, as neighbouring elements belong to different results, is cut so that results and parts
    together are up to 65536 threads of at least 64 elements each; parts are the outermost dimension of its temporary.

    Sizes known at run time only, and inputs that are not accessed by one loop per dimension, are a remark: `strategy-given-up`.

    Example:

    ```mlir
    linalg.generic {iterator_types = ["reduction"], ...} ins(%a : memref<65536xf32>) outs(%sum : memref<f32>) { addf }
    // becomes
    %parts = memref.expand_shape %a [[0, 1]] output_shape [16, 4096] : memref<65536xf32> into memref<16x4096xf32>
    linalg.generic {iterator_types = ["parallel"], ...} outs(%partial : memref<16xf32>) { 0.0 }
    linalg.generic {iterator_types = ["parallel", "reduction"], ...} ins(%parts : memref<16x4096xf32>) outs(%partial : memref<16xf32>) { addf }
    linalg.generic {iterator_types = ["reduction"], ...} ins(%partial : memref<16xf32>) outs(%sum : memref<f32>) { addf }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

#endif // MICA_PASSES_GPU_PASSES
