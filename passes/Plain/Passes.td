//===- Passes.td - passes of the area Plain -------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_PLAIN_PASSES
#define MICA_PASSES_PLAIN_PASSES

include "mlir/Pass/PassBase.td"

def CallKernels : Pass<"mica-plain-call-kernels", "mlir::ModuleOp"> {
  let summary = "Make functions of kernels and task lists, and calls of dispatches, tasks and submits";
  let description = [{
    On entry: a program of any phase before `lowered`. On exit: functions alone, without an operation of `mica_sched` but
    `constant`. A kernel is a function of its name, a dispatch allocates what the kernel writes and calls it, a task list is
    a function that calls the kernels of its tasks one after the other, a submit calls that function. A kernel that is cut
    into shares of work is called once, for the whole. Entries become functions that only the program itself can call, and
    remember their name and signature in the attribute `plain_entry`, for mica-plain-make-entries.

    A program whose host functions are LLVM functions already (phase `lowered`) is left as it is.

    Example:

    ```mlir
    %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %from = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
    %to = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    call @mica_plain_exp_exp(%from, %to) : (memref<4xf32>, memref<4xf32>) -> ()
    %0 = bufferization.to_tensor %to restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect"];
}

def ShareConstants : Pass<"mica-plain-share-constants", "mlir::ModuleOp"> {
  let summary = "Give large constant tensors to the runtime";
  let description = [{
    An `arith.constant` of a tensor with more than 64 elements, or of a resource, becomes a `mica_sched.constant`, whose
    bytes lie in the artifact's `constants.bin` instead of the code.

    Example:

    ```mlir
    %w = arith.constant dense_resource<mica_1f> : tensor<9x9xf32>
    // becomes
    %b = mica_sched.constant dense_resource<mica_1f> : tensor<9x9xf32> -> memref<9x9xf32>
    %w = bufferization.to_tensor %b restrict : memref<9x9xf32> to tensor<9x9xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CallRuntime : Pass<"mica-plain-call-runtime", "mlir::ModuleOp"> {
  let summary = "Make calls of constants and assertions";
  let description = [{
    `mica_sched.constant` becomes a call of `mica_plain_constant` with the constant's number, `cf.assert` a call of
    `mica_plain_assert` with the condition and the message. mica-plain-make-entries defines both.

    Example:

    ```mlir
    cf.assert %ok, "sizes differ"
    // becomes
    %text = llvm.mlir.addressof @mica_plain_message_0 : !llvm.ptr
    llvm.call @mica_plain_assert(%ok, %text) : (i1, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def SettleViews : Pass<"mica-plain-settle-views"> {
  let summary = "Make views of unknown size what the conversions behind take";
  let description = [{
    Runs right after bufferization. A `memref.cast` from a strided layout to the contiguous one, as bufferization makes
    where a function returns a slice, becomes a copy: of sizes known at run time alone, no cast says whether the elements
    lie side by side. A `memref.expand_shape` of a dimension into several of unknown size becomes a
    `memref.reinterpret_cast`, with the strides computed from its sizes.

    Example:

    ```mlir
    %0 = memref.cast %v : memref<2x?xf32, strided<[?, 1]>> to memref<2x?xf32>
    // becomes
    %c1 = arith.constant 1 : index
    %size = memref.dim %v, %c1 : memref<2x?xf32, strided<[?, 1]>>
    %0 = memref.alloc(%size) {alignment = 64 : i64} : memref<2x?xf32>
    memref.copy %v, %0 : memref<2x?xf32, strided<[?, 1]>> to memref<2x?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def MakeEntries : Pass<"mica-plain-make-entries", "mlir::ModuleOp"> {
  let summary = "Add the functions that the runtime calls, in the LLVM dialect";
  let description = [{
    On entry: a program in the LLVM dialect whose entries have the attribute `plain_entry`. For each, a function
    `mica_entry_<name>` of the host ABI is added: it describes the arguments as the function takes them, calls it, and copies
    what it returns to the memory of the results. Memory, constants and failures are services of the runtime; memory lives
    until the invocation ends. A failed assertion fails the invocation when the function has returned. One invocation runs
    at a time.

    Example:

    ```mlir
    llvm.func @mica_plain_f(%p: !llvm.ptr, %q: !llvm.ptr, %offset: i64, %size: i64, %stride: i64) -> i64
        attributes {llvm.emit_c_interface, plain_entry = ["f", (memref<4xf32>) -> index]}
    // gets beside it
    llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_PLAIN_PASSES
