//===- Passes.td - GPU pass definitions ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_PASSES
#define MICA_PASSES_CODEGEN_GPU_PASSES

include "mlir/Pass/PassBase.td"

def MapToLaunchesPass : Pass<"mica-gpu-map-to-launches", "::mlir::func::FuncOp"> {
  let summary = "Map the ops of a kernel to GPU launches";
  let description = [{
    Applies to kernels on buffers. The function becomes host code that launches device code. Each structured op
    and each parallel loop becomes a `gpu.launch` with one thread per iteration of its parallel loops, or per
    `vector-bytes` bytes of elements if an elementwise op permits it. A thread runs the remaining loops
    sequentially. Consecutive other operations on memory become a launch of a single thread. Loops and
    conditionals around structured ops stay on the host if the host knows their bounds and conditions. A scalar
    that one launch computes and another one uses is stored in a buffer of one element.

    The ops of a row group (mica-gpu-select-reduction-config) become one launch, in which a cooperative group of one or more
    warps processes each row; warps exchange values by shuffles and workgroup memory. A contraction and the ops
    fused with it (mica-gpu-select-contraction-config) become one launch with a block per tile of the result. The block
    copies tiles of the inputs to a multi-stage buffer in workgroup memory, asynchronously if they are
    contiguous and aligned to 16 bytes.

    Device code cannot allocate memory, so temporaries are allocated before the launch that uses them. A size
    that only the device knows is replaced by an upper bound.

    A function that cannot be mapped, for example because the host knows no bound for the size of a temporary,
    stays unchanged and runs on the host. The attribute `mica_codegen.host_reason` then gives the reason.

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
  let options = [Option<"threads", "threads", "int64_t", "256", "Number of threads per block">,
                 Option<"vectorBytes", "vector-bytes", "int64_t", "16",
                        "Number of bytes that a thread of an elementwise op accesses at once; 0: one element">,
                 Option<"hostMemory", "host-memory", "bool", "true",
                        "Threads can allocate host memory, as in the simulator; permits temporaries that outlive an "
                        "iteration">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def GPUSelectContractionConfigPass : Pass<"mica-gpu-select-contraction-config", "::mlir::func::FuncOp"> {
  let summary = "Select strategy and tile sizes of contractions and convolutions";
  let description = [{
    Applies to contractions and convolutions on buffers, that is, to structured ops with reduction loops (k),
    parallel loops that index the result and only the first input (m), and parallel loops that index the result
    and only the second input (n). A subscript may be a sum of multiples of loops: in a convolution, m covers
    the positions of the image, and k the window and the channels. The pass runs before loops are collapsed. It
    selects the first strategy that applies:

    - `tensor_cores`: inputs of f16 or bf16 with accumulators of f32, signed i8 with i32, f64 with f64, and with
      `allow-tf32` f32 with f32, whose inputs are then rounded to tf32 (`tf32` in the configuration); requires
      sm_80
    - `workgroup_tiles`: multiply-adds of threads on tiles in workgroup memory, for inputs of whole bytes other
      than 8-bit floats; requires sm_80

    The configuration is stored as the attribute `mica_codegen.lowering_config` on the op, on the elementwise op
    that initializes its accumulators (with a constant or a bias), and on the elementwise op that is the only
    user of its results (bias, activation). mica-gpu-map-to-launches maps these ops to one launch. For a strategy
    that was rejected, the remark `strategy-rejected` gives the reason and what was selected instead.
    Contractions with fewer than 16 iterations along m, n or k would not fill a tile: they get no configuration
    and no remark, and are computed by one thread per result.

    Example:

    ```mlir
    linalg.generic {iterator_types = ["parallel", "parallel", "reduction"], ...} ins(%a, %b : memref<256x512xf16>, memref<512x128xf16>)
      outs(%c : memref<256x128xf32>) { extf, extf, mulf, addf }
    // gets
    {mica_codegen.lowering_config = #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [64, 64, 32],
                                    part = [32, 32], stages = 4>, mica_codegen.keep_loops}
    ```
  }];
  let options = [Option<"computeCapability", "compute-capability", "int64_t", "80",
                        "Compute capability of the device times ten, for example 80 for sm_80">,
                 Option<"workgroupBytes", "workgroup-bytes", "int64_t", "49152",
                        "Maximum workgroup memory of a block in bytes">,
                 Option<"allowTf32", "allow-tf32", "bool", "false",
                        "Allow rounding f32 inputs of contractions to tf32">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect"];
}

def GPUSelectReductionConfigPass : Pass<"mica-gpu-select-reduction-config", "::mlir::func::FuncOp"> {
  let summary = "Select reductions to be computed by cooperative groups of threads";
  let description = [{
    Groups consecutive structured ops on buffers into row groups. A row group has at least one reduction over
    contiguous elements, and its ops exchange only scalars per row and elements of the same row. It becomes a
    launch in which a cooperative group of threads processes each row. Its ops get the attribute
    `mica_codegen.lowering_config` with the number of the row group, the number of threads per row (32 to 512),
    and the number of consecutive elements that a thread accesses at once. mica-gpu-map-to-launches creates the
    launch.

    Reductions of fewer than 17 elements, and reductions over an outer dimension, whose results are contiguous,
    are left to one thread per result. If a reduction gets no configuration because its results are not combined
    by a single op with a neutral element, or because a value per row is updated in place, the remark
    `strategy-rejected` says so.

    Example:

    ```mlir
    linalg.generic {iterator_types = ["parallel", "reduction"], ...} ins(%a : memref<64x768xf32>) outs(%sum : memref<64xf32>) { addf }
    linalg.generic {iterator_types = ["parallel", "parallel"], ...} ins(%a, %sum : ...) outs(%o : memref<64x768xf32>) { divf }
    // both get
    {mica_codegen.lowering_config = #mica_codegen.gpu_reduction_config<group = 0, threads = 32, elements = 4>}
    ```
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", "16",
                        "Number of bytes that a thread accesses at once; 0: one element">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect"];
}

def AssignDevicesPass : Pass<"mica-gpu-assign-devices", "::mlir::ModuleOp"> {
  let summary = "Assign a device to all tasks";
  let description = [{
    Sets the attribute `device` on each task of each task list. The runtime selects the backend by this name.

    Example:

    ```mlir
    %0 = mica_sched.task @neg(%a, %o) : memref<4xf32>, memref<4xf32>
    // becomes
    %0 = mica_sched.task @neg(%a, %o) {device = "sim:0"} : memref<4xf32>, memref<4xf32>
    ```
  }];
  let options = [Option<"device", "device", "std::string", "\"sim:0\"",
                        "Name of the device as in the runtime, for example sim:0 or gpu:0">];
}

def SinkIntoLaunchesPass : Pass<"mica-gpu-sink-into-launches", "::mlir::func::FuncOp"> {
  let summary = "Sink views and index computations into launches";
  let description = [{
    Clones views, constants and integer arithmetic that a launch uses into its body. Accesses can then be
    checked on the device against the whole buffer, and a launch takes only whole buffers and scalars as
    parameters.

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
  let summary = "Report NaN and infinities that a kernel stores to its results";
  let description = [{
    Inserts a test before each store of a float, or of a vector of floats, to an argument that the kernel
    writes. If the value is not finite, it is reported by `mica_check.not_finite`, NaN and infinities
    separately. The test compares bits, so that fast-math assumptions cannot remove it. Constants that are
    finite or -inf are not tested: maxima and masks start with -inf.

    Sets `mica_check.finite` to `all` if every store of floats to the kernel's results is tested; the host then
    need not inspect the results of a kernel that reported nothing. Otherwise sets it to `some`, for example if
    there are atomic additions, buffers that are also read, or 8-bit floats.

    Precondition: a kernel on buffers with launches, whose checks are proved but not yet numbered.

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
  let summary = "Lower checks in launches to records that the host reads";
  let description = [{
    Appends an argument to the kernel's function, the check log, whose address is also passed to the launches
    with checks. A report atomically increments the count of its site. The thread that does so first writes its
    block id, its thread id and the reported values to the record (`mica_gpu_check_record_v1` in
    include/mica/ABI/Gpu.h). The host reads the records when the task is complete. Predicates become arithmetic.
    An `scf.while` around a report ends in the thread that reported, unless failed checks are warnings: the value of
    what failed is 0, by which the loop may not end by itself.
    Functions without launches are left to mica-check-lower.

    Precondition: sites are numbered (mica-check-number). Postcondition: no op of `mica_check` is left in the
    `gpu.module`, and the kernel's module has the attribute `mica_codegen.checks`.

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

def GPULowerDynamicAllocsPass : Pass<"mica-gpu-lower-dynamic-allocs", "::mlir::func::FuncOp"> {
  let summary = "Allocate temporaries of dynamic size in device memory";
  let description = [{
    Replaces each `memref.alloc` that is left outside of the launches by a `gpu.alloc` of as many bytes and a
    view of it. The memory is deallocated at the end of the block. If the number of bytes overflows, the largest
    integer is requested, so that the allocation fails. With `check-sizes`, a negative size is an error of the call.

    Precondition: a kernel with launches, whose other temporaries are in scratch memory
    (mica-codegen-allocate-scratch).

    Example:

    ```mlir
    %t = memref.alloc(%n) : memref<?xf32>
    gpu.launch ... { ... memref.store %x, %t[%i] ... }
    // becomes
    %bytes = %n * 4, saturated
    %memory = gpu.alloc(%bytes) : memref<?xi8>
    %t = memref.view %memory[%c0][%n] : memref<?xi8> to memref<?xf32>
    gpu.launch ... { ... memref.store %x, %t[%i] ... }
    gpu.dealloc %memory : memref<?xi8>
    ```
  }];
  let options = [Option<"checkSizes", "check-sizes", "bool", "false",
                        "Check sizes by the runtime's memory service, which the host part of a kernel has on a target whose "
                        "back end gives it one">];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def OutlineLaunchesPass : Pass<"mica-gpu-outline-launches", "::mlir::ModuleOp"> {
  let summary = "Outline launches into the gpu.module of their kernel";
  let description = [{
    Sinks views, sizes and index arithmetic into the launches, so that only whole buffers and scalars become
    parameters. Then runs upstream's `gpu-kernel-outlining`, which creates a `gpu.func` for each launch, in one
    `gpu.module` per kernel.

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
  let summary = "Convert launches to runtime calls and outlined kernels to functions on pointers";
  let description = [{
    The host wrapper gets another argument, the launch state that the kernel entry passes
    (mica-codegen-convert-kernel-entry). For each launch it fills in a `mica_gpu_launch_v1` (include/mica/ABI/Gpu.h)
    and calls the runtime. Launch parameters are addresses, dynamic sizes and scalars. The functions of the
    `gpu.module` take the same parameters and are marked as entry points (`mica_codegen.entry`); their buffers do
    not alias. Device memory that the wrapper allocates (mica-gpu-lower-dynamic-allocs) comes from the same table
    of services. After a service has failed, nothing more is launched.

    Example:

    ```mlir
    gpu.launch_func @device::@relu_0 blocks in (%g, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>)
    gpu.func @relu_0(%a: memref<?xf32>) kernel { ... }
    // becomes
    %code = llvm.call %launch(%queue, %call) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
    func.func @relu_0(%a: !llvm.ptr {llvm.noalias, llvm.align = 64 : i64}, %n: i64) attributes {mica_codegen.entry} { ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def SetKernelABIPass : Pass<"mica-gpu-set-kernel-abi", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Set the attributes and calling convention of GPU kernels";
  let description = [{
    Replaces `mica_codegen.entry` on functions of the LLVM dialect by the attributes that mark a kernel of the
    target, together with its block size where known. Functions of other dialects cannot carry these attributes.
    For `rocm`, stack allocations move to the private address space. For `spirv`, buffer parameters become
    pointers to global memory, the only pointers that a kernel may take, and the body casts them; so do integers
    that the body converts to pointers.

    Example:

    ```mlir
    llvm.func @relu_0(...) attributes {mica_codegen.entry, gpu.known_block_size = array<i32: 256, 1, 1>}
    // becomes
    llvm.func @relu_0(...) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>}
    // for rocm
    llvm.func @relu_0(...) attributes {rocdl.kernel, rocdl.flat_work_group_size = "256,256", ...}
    // for spirv
    llvm.func spir_kernelcc @relu_0(...) attributes {reqd_work_group_size = array<i32: 256, 1, 1>}
    ```
  }];
  let options = [Option<"abi", "abi", "::mica::DeviceABI", "::mica::DeviceABI::NVVM", "Conventions that the entries follow",
                        [{::llvm::cl::values(
                          clEnumValN(::mica::DeviceABI::NVVM, "nvvm", "NVIDIA GPUs"),
                          clEnumValN(::mica::DeviceABI::ROCDL, "rocdl", "AMD GPUs"),
                          clEnumValN(::mica::DeviceABI::SPIRV, "spirv", "OpenCL devices"))}]>];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

def ConvertIdsToNVVMPass : Pass<"mica-gpu-convert-ids-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert GPU ids, barriers and shuffles to NVVM";
  let description = [{
    Converts ids and sizes of blocks and threads, barriers, and shuffles of values of up to 64 bits. Upstream's
    `convert-gpu-to-nvvm` is not used because it also converts math ops to calls of a device library.

    Postcondition: no op of `gpu` is left in functions of the module; an op that is not supported is an error.

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
  let summary = "Convert GPU ids to ROCDL, or to OpenCL built-ins for SPIR-V";
  let description = [{
    Converts ids and sizes of blocks and threads. Sizes that are known become constants. With `rocm` other sizes
    are an error, because reading them takes a device library.

    Postcondition: no op of `gpu` is left in functions of the module; an op that is not supported is an error.

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
  let options = [Option<"abi", "abi", "::mica::DeviceABI", "::mica::DeviceABI::ROCDL", "Device whose ids and sizes are read",
                        [{::llvm::cl::values(
                          clEnumValN(::mica::DeviceABI::ROCDL, "rocdl", "AMD GPUs"),
                          clEnumValN(::mica::DeviceABI::SPIRV, "spirv", "OpenCL devices"))}]>];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

def ConvertMmaPass : Pass<"mica-gpu-convert-mma", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert nvgpu.mma.sync on bf16 to NVVM";
  let description = [{
    Complements upstream's `convert-nvgpu-to-nvvm`, which supports the other element types.

    Example:

    ```mlir
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    // becomes
    %0 = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%c0, %c1, %c2, %c3] {multiplicandAPtxType = #nvvm.mma_type<bf16>, ...}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::vector::VectorDialect"];
}

def SelectHostFallbackPass : Pass<"mica-gpu-select-host-fallback", "::mlir::func::FuncOp"> {
  let summary = "Select kernels that run on the host because the device cannot execute them";
  let description = [{
    Sets the attribute `mica_codegen.host_reason` on a function with an op that cannot be lowered for the device;
    its value names op and type. These are `math` ops that neither map to instructions nor have an expansion,
    for example functions of f64, for which there is no library. Functions with `mica_sched.check_reshape` or
    `mica_sched.check_sum` run on the host as well, because the runtime performs these checks.

    Example:

    ```mlir
    func.func @k(%x: f64) { math.exp %x : f64 ... }
    // becomes
    func.func @k(%x: f64) attributes {mica_codegen.host_reason = "math.exp on f64 has no code for the device"} { ... }
    ```

    For `spirv`, the attribute is also set on functions with vectors of other than 1, 2, 3, 4, 8 or 16 elements,
    with masked vector accesses, or with types of `missing-types`.
  }];
  let options = [Option<"abi", "abi", "::mica::DeviceABI", "::mica::DeviceABI::NVVM", "Device that the kernels are for",
                        [{::llvm::cl::values(
                          clEnumValN(::mica::DeviceABI::NVVM, "nvvm", "NVIDIA GPUs"),
                          clEnumValN(::mica::DeviceABI::ROCDL, "rocdl", "AMD GPUs"),
                          clEnumValN(::mica::DeviceABI::SPIRV, "spirv", "OpenCL devices"),
                          clEnumValN(::mica::DeviceABI::Host, "host", "the simulator"))}]>,
                 ListOption<"missingTypes", "missing-types", "std::string",
                            "Float types without device code, on `spirv`: bf16, f64">];
}

def SplitReductionsPass : Pass<"mica-gpu-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Split long reductions with few results into two steps";
  let description = [{
    Applies to reductions on buffers for which one block or thread per result would leave most of the device
    idle. The outermost reduction loop is split into parts. Each part is reduced to a temporary, and the
    temporary is reduced to the result. If no suitable number of parts divides the loop, the remaining
    iterations are reduced by a separate op.

    - A reduction of at least 16384 elements each to at most 16 results, which mica-gpu-select-reduction-config would map to a
      cooperative group per result, is split such that there are up to 256 parts in all.
    - A reduction that mica-gpu-select-reduction-config would leave to one thread per result, because neighboring elements
      belong to different results, is split such that results and parts together occupy up to 65536 threads of
      at least 64 elements each. Parts are the outermost dimension of its temporary.

    If a reduction of the first kind has a dynamic number of elements, or an input that is not subscripted by
    one loop per dimension, the remark `strategy-rejected` says so.

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

#endif // MICA_PASSES_CODEGEN_GPU_PASSES
