//===- Passes.td - Schedule pass definitions -----------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_PASSES
#define MICA_PASSES_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def FormTaskLists : Pass<"mica-schedule-form-task-lists", "mlir::ModuleOp"> {
  let summary = "Bufferize host functions and form task lists from their dispatches";
  let description = [{
    The dispatches of each straight-line region of a host function become a `mica_sched.task_list`, which the
    function submits. Buffers used by a single list are placed in the arena of that list, first fit over their
    lifetimes (from the first to the last task that accesses them). Buffers whose size is known only at run time
    are allocated when the list is submitted. A kernel writes a returned tensor directly into the memory of the
    result. Reshapes and casts become views. A task depends on the tasks that write what it reads, and on those
    that use the arena memory that it overwrites; transitive dependencies are omitted.

    The host function keeps shape arithmetic and control flow. It waits only before it reads an element itself
    (`tensor.extract`). Tensors that are passed between lists or through control flow are in memory that the
    host function allocates.

    Precondition: host functions contain dispatches, views, constants and control flow on tensors, and every
    returned tensor is written by a dispatch of its own (mica-dispatch-copy-results). Postcondition: no tensor
    is left in host functions.

    Example:

    ```mlir
    %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
    // becomes
    %r = mica_sched.result 0 : memref<4xf32>
    mica_sched.submit @forward_0(%x, %r) : memref<4xf32>, memref<4xf32>
    return %r : memref<4xf32>
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def ReleaseMemory : Pass<"mica-schedule-release-memory", "mlir::func::FuncOp"> {
  let summary = "Release memory that an iteration of a host function's loop leaves behind";
  let description = [{
    Inserts a `mica_sched.release` at the end of the body of each loop in which memory is allocated. It keeps the
    buffers that the next iteration is given; all other memory that the loop has allocated is used again. Without
    it, a host function needs memory in proportion to the number of iterations.

    A loop is left unchanged if the address of a buffer may be known elsewhere: if the function has a buffer of
    buffers, takes the address of a buffer as a number, or the loop carries values that are neither buffers nor
    numbers.

    Precondition: no tensor is left in host functions (mica-schedule-form-task-lists).

    Example:

    ```mlir
    scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
      %b = mica_sched.alloc : memref<4xf32>
      mica_sched.submit @main_0(%x, %b) : memref<4xf32>, memref<4xf32>
      scf.yield %b : memref<4xf32>
    }
    // becomes
    %m = mica_sched.mark
    scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
      %b = mica_sched.alloc : memref<4xf32>
      mica_sched.submit @main_0(%x, %b) : memref<4xf32>, memref<4xf32>
      mica_sched.release %m keep(%b : memref<4xf32>)
      scf.yield %b : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect"];
}

def InlineHostFunctions : Pass<"mica-schedule-inline-host-functions", "mlir::ModuleOp"> {
  let summary = "Make functions that no kernel takes part of the host code";
  let description = [{
    Moves what a `mica_sched.host_functions` contains to the top of the program, with a function without a body for
    each of its entries. A symbol whose name is taken gets another; declarations, and memory that all objects of a
    program have in common, are kept once.

    Precondition: the host functions of the program are in the LLVM dialect.

    Example:

    ```mlir
    mica_sched.host_functions [["f", (f32) -> f32, [{} ], [{} ]]] {
      llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32 { .. }
    }
    // becomes
    llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32 { .. }
    func.func private @mica_plain_signature_f(f32) -> f32 attributes {mica_sched.entry, plain_entry = ["f", (f32) -> f32]}
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def RecordLaunches : Pass<"mica-schedule-record-launches", "mlir::ModuleOp"> {
  let summary = "Record the launch parameters of kernels as an attribute";
  let description = [{
    Derives from the kernel's function what the runtime needs to launch it: buffers and how they are accessed,
    scalars, work partitions, scratch memory and checks. Lowering replaces that function by one on pointers,
    which no longer shows any of this. The pass stores it in the attribute `mica_sched.launch` of the kernel's
    module, so that compilation can resume from a program of phase `lowered`.

    Precondition: the kernel is at the end of phase `kernel`. A module that already has the attribute, or that
    is not a kernel, is left unchanged.

    Example:

    ```mlir
    builtin.module @exp attributes {mica_sched.kernel} {
      func.func @exp(%x: memref<4xf32> {mica_sched.access = "read"}, ..)
    // gets
    mica_sched.launch = {access = ["read", "write"], bindings = [memref<4xf32>, memref<4xf32>], grid = 1 : i64,
                         scalars = 0 : i64, scratch_bytes = 0 : i64, share_elements = array<i64: 0, 0>}
    ```
  }];
}

def ConvertMicaSchedToLLVM : Pass<"convert-mica-sched-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert host functions to the LLVM dialect";
  let description = [{
    Each entry point becomes a function `mica_entry_<name>` of the host ABI (include/mica/ABI/Host.h). Addresses
    and sizes of its arguments are passed in arrays. Allocations, submits and waits become calls of the
    runtime's services; a service that fails ends the function with its error code. Buffers are row-major, with
    offset 0. Scalar arguments are loaded from memory and scalar results are stored to memory.

    Task lists are left unchanged, because they are data for the runtime. The generated code refers to a task
    list by its position in the program, and to a constant by its position in `mica_sched.constants`. A function
    without a body keeps the name and the signature of each entry point. Argument names that were part of
    locations become `mica.name`.

    With `track-reads`, the function asks the runtime before each load whether the element was written, and
    notifies it of each store. Loads whose value is only stored elsewhere are not uses and are not checked.
    Everything that the host function stores counts as written.

    Precondition: host functions have no structured control flow and no affine ops (convert-scf-to-cf,
    lower-affine). Postcondition: host functions are in the LLVM dialect.

    Example:

    ```mlir
    mica_sched.wait
    // becomes
    %0 = llvm.getelementptr %api[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, ptr, ptr, ptr, ptr, ptr)>
    %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
    %2 = llvm.call %1(%ctx) : !llvm.ptr, (!llvm.ptr) -> i32
    ```
  }];
  let options = [Option<"trackReads", "track-reads", "bool", "false", "Report uses of uninitialized elements">];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_SCHEDULE_PASSES
