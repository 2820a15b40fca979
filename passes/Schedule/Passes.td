//===- Passes.td - passes of the area Schedule ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_PASSES
#define MICA_PASSES_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def FormTaskLists : Pass<"mica-schedule-form-task-lists", "mlir::ModuleOp"> {
  let summary = "host functions from tensors to buffers, dispatches to task lists";
  let description = [{
    The dispatches of each straight-line region of a host function become a `mica_sched.task_list` that the function submits.
    What only one list uses lies in the list's arena, placed by first fit over lifetimes (first task to last task that touch
    it); what is larger than known at compile time is allocated when the list is submitted. What a function returns is
    written straight to the result's memory. Reshapes and casts are views. A task waits for the tasks that write what it
    reads, and for those that use the arena memory it overwrites; edges that follow from others are left out.

    The host function keeps arithmetic on sizes and control flow. It waits only before it reads an element itself
    (`tensor.extract`). Tensors that pass between lists or through control flow lie in memory it allocates.

    On entry: host functions of dispatches, views, constants and control flow on tensors; every returned tensor is written
    by a dispatch of its own (mica-dispatch-copy-results). On exit: no tensor is left in host functions.

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

def RecordLaunches : Pass<"mica-schedule-record-launches", "mlir::ModuleOp"> {
  let summary = "Record on a kernel how it is launched";
  let description = [{
    What the runtime has to know of a kernel (its buffers and how it accesses them, scalars, shares, scratch memory, the checks that it
    makes) is read off its function, which the LLVM dialect replaces by one on pointers. This writes it down as the attribute
    `mica_sched.launch` of the kernel's module, so that a program of phase lowered can be taken up again.

    On entry: a kernel at the end of phase kernel. One that has the attribute keeps it; modules that are no kernels stay as they are.

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
  let summary = "host functions to the LLVM dialect";
  let description = [{
    Each entry becomes `mica_entry_<name>` of the host ABI: addresses and sizes of arguments come in as arrays; memory,
    submits and waits are calls of the runtime's services; a service that fails ends the function with its code. Buffers are
    row-major and start at the address they are given by. Scalar arguments are read from memory, scalar results written to it.

    Task lists stay as they are: they are data for the runtime, and are numbered by their order in the program; constants by
    collectConstants, whose order the program keeps as `mica_sched.constants`. A function without a body and with the entry's
    name stays for its signature; names of arguments that were in locations become `mica.name`.

    With `track-reads` the runtime is asked before each load of an element whether anybody wrote it, and told of each store. A
    load that is only stored elsewhere is no use; what is stored counts as written.

    On entry: host functions without structured control flow and affine ops (convert-scf-to-cf, lower-affine). On exit: host
    functions are in the LLVM dialect.

    Example:

    ```mlir
    mica_sched.wait
    // becomes
    %0 = llvm.getelementptr %api[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, ptr, ptr, ptr, ptr, ptr)>
    %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
    %2 = llvm.call %1(%ctx) : !llvm.ptr, (!llvm.ptr) -> i32
    ```
  }];
  let options = [Option<"trackReads", "track-reads", "bool", "false", "Report uses of elements that nobody wrote">];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_SCHEDULE_PASSES
