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

def SkipEmptyLoops : Pass<"mica-plain-skip-empty-loops", "mlir::func::FuncOp"> {
  let summary = "Make no turns around a loop that makes none";
  let description = [{
    Where the body of a loop of scf is another loop whose bounds do not depend on it, and nothing else, it makes no turn where the inner one makes
    none: of tensors without elements the other sizes may be as large as they like.

    Example:

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
    // becomes
    %turns = arith.cmpi slt, %c0, %m : index
    %end = arith.select %turns, %n, %c0 : index
    scf.for %i = %c0 to %end step %c1 {
      scf.for %j = %c0 to %m step %c1 {
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckPlainReshapes : Pass<"mica-plain-check-reshapes", "mlir::func::FuncOp"> {
  let summary = "Check sizes that the program computes for what it has in another shape";
  let description = [{
    As `mica-dispatch-check-reshapes`, in all code.

    Example:

    ```mlir
    %0 = tensor.cast %x : tensor<?xf32> to tensor<6xf32>
    // becomes
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    mica_sched.check_reshape same_sizes sizes(%n) : tensor<?xf32> to : tensor<6xf32>
    %0 = tensor.cast %x : tensor<?xf32> to tensor<6xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertMicaToLoops : Pass<"mica-plain-convert-mica-to-loops"> {
  let summary = "Write every operation of mica as loops over scalar elements";
  let description = [{
    The plainest form that says what the operation's page says: loops of scf around loads, arithmetic on one element in f64
    or i64, and a store that rounds once. It shares nothing with `convert-mica-to-linalg`, so that a fault of one is seen by
    the other. `mica.if` and `mica.while` become `scf.if` and `scf.while`.

    Example:

    ```mlir
    %0 = mica.neg %x : tensor<4xf32>
    // becomes
    %from = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
    %to = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %1 = memref.load %from[%i] : memref<4xf32>
      %2 = arith.extf %1 : f32 to f64
      %3 = arith.negf %2 : f64
      %4 = arith.truncf %3 : f64 to f32
      memref.store %4, %to[%i] : memref<4xf32>
    }
    %0 = bufferization.to_tensor %to restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ReturnUpdates : Pass<"mica-plain-return-updates", "mlir::ModuleOp"> {
  let summary = "Return what entries store to their arguments, and start globals anew in each call";
  let description = [{
    On entry: a program without kernels, whose functions may take, return and store to buffers. On exit: each entry that has
    buffers, or a program that has globals, is a function around the one that was there. It copies the arguments that are
    stored to and returns the copies behind the results the entry has, in the arguments' order; sets every `memref.global` to
    its initial value; and takes and returns buffers without gaps, whatever layout the function inside has them in. Which
    arguments are stored to is read off the uses of the argument, through views, control flow and calls.

    Example:

    ```mlir
    func.func @f(%x: memref<4xf32>) { <store to %x> }
    // becomes
    func.func private @mica_plain_body_f(%x: memref<4xf32>) { <store to %x> }
    func.func @f(%x: memref<4xf32>) -> (memref<4xf32> {mica_sched.updates = 0 : i64}) {
      %copy = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
      memref.copy %x, %copy : memref<4xf32> to memref<4xf32>
      call @mica_plain_body_f(%copy) : (memref<4xf32>) -> ()
      return %copy : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def SeparateTensors : Pass<"mica-plain-separate-tensors"> {
  let summary = "Copy where tensors become buffers and buffers tensors";
  let description = [{
    `bufferization.to_buffer` that is not read-only and `bufferization.to_tensor` copy, so that no store to a buffer changes a
    tensor. Ops of linalg on buffers become ops on tensors, whose results are copied to where they belong. Code in
    `mica_sched.on_buffers` is left as it is.

    Example:

    ```mlir
    %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
    // becomes
    %from = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %from, %m : memref<4xf32> to memref<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PlaceOnBuffers : Pass<"mica-plain-place-on-buffers"> {
  let summary = "Put linalg ops and elementwise ops on tensors on buffers";
  let description = [{
    A linalg op on tensors becomes `linalg.generic` on buffers: it reads its inputs where they are and works on a copy of each
    init, so that elements that it does not write keep their values. Floats that are reduced are reduced in f64, and rounded
    once behind the op; casts in its body round where they stand. Other elementwise ops on tensors become loops of scf.

    Example:

    ```mlir
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %from = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
    %to = memref.alloc() : memref<4xf32>
    linalg.generic .. ins(%from : memref<4xf32>) outs(%to : memref<4xf32>) { .. }
    %0 = bufferization.to_tensor %to restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeTensors : Pass<"mica-plain-decompose-tensors"> {
  let summary = "Write pads, concatenations, packs, softmax and Winograd transforms as simpler ops";
  let description = [{
    What upstream's conversions to loops do not take, decomposed by patterns and interfaces of upstream; `tensor.splat`
    becomes `linalg.fill`. Winograd's transforms become loops that sum in f64, with matrices of that accuracy. Views that
    upstream's bufferization does not take, of sizes that the types do not say and other values do, get types that say them.

    Example:

    ```mlir
    %0 = tensor.splat %v : tensor<4xf32>
    // becomes
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandScalars : Pass<"mica-plain-expand-scalars"> {
  let summary = "Write arithmetic that LLVM has no instruction for with arithmetic that it has";
  let description = [{
    Divisions that round up or down, powers with integer exponents, `maxnumf` and `minnumf`, classifications of floats, loads and stores of `i4`,
    whose elements take a byte, and `memref.copy`, which becomes loops.

    Example:

    ```mlir
    %0 = math.isnan %x : f32
    // becomes
    %0 = arith.cmpf uno, %x, %x : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ComputeSmallFloats : Pass<"mica-plain-compute-small-floats"> {
  let summary = "Compute with floats of fewer than 32 bits in f64";
  let description = [{
    Operations on f16, bf16 and the f8 types become the same ones on f64, whose result is rounded once. Conversions from and
    to the types become arithmetic on integers and f64.

    Example:

    ```mlir
    %0 = arith.addf %a, %b : bf16
    // becomes, with each conversion some fifteen operations
    %1 = arith.extf %a : bf16 to f64
    %2 = arith.extf %b : bf16 to f64
    %3 = arith.addf %1, %2 : f64
    %0 = arith.truncf %3 : f64 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def CarryBits : Pass<"mica-plain-carry-bits", "mlir::ModuleOp"> {
  let summary = "Hold 16-bit floats that the machine has no registers for as integers";
  let description = [{
    In functions and globals of the LLVM dialect, when nothing computes with them any more.

    Example:

    ```mlir
    %0 = llvm.load %p : !llvm.ptr -> bf16
    // becomes, with types=bf16
    %0 = llvm.load %p : !llvm.ptr -> i16
    ```
  }];
  let options = [ListOption<"types", "types", "std::string",
                            "16-bit floats (f16, bf16) that the machine has no registers for; default: none">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertTosaToLoops : Pass<"mica-plain-convert-tosa-to-loops"> {
  let summary = "Write tosa.resize, avg_pool2d, tile and transpose_conv2d as loops over scalar elements";
  let description = [{
    The operations of tosa that upstream's conversions do not take for every type and size, or compute otherwise than the
    specification says. All others are upstream's.

    Example: `tosa.avg_pool2d` becomes loops over the elements of its result, and in them loops over the window.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ConvertGlobals : Pass<"mica-plain-convert-globals", "mlir::ModuleOp"> {
  let summary = "Replace loads of ml_program globals by their values, and erase what is left of tosa";
  let description = [{
    A load of a global that nothing stores to is a constant. Dead constants of tosa go; operations of it that are used are
    errors.

    Example:

    ```mlir
    ml_program.global private @g(dense<1> : tensor<2xi32>) : tensor<2xi32>
    %0 = ml_program.global_load_const @g : tensor<2xi32>
    // becomes
    %0 = arith.constant dense<1> : tensor<2xi32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TakeMemory : Pass<"mica-plain-lower-dynamic-allocs", "mlir::ModuleOp"> {
  let summary = "Convert allocations to calls of the runtime's memory service";
  let description = [{
    As `mica-cpu-lower-dynamic-allocs`. With `keeps-all`, memory lives until the call of the runtime ends.

    Example:

    ```mlir
    %t = memref.alloc(%n) : memref<?xf32>
    // becomes
    %p = llvm.call %allocate(%name, %four, %sizes, %one) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
    ```
  }];
  let options = [Option<"keepsAll", "keeps-all", "bool", "false", "Take memref.dealloc away">];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect"];
}

def MakeKernelEntries : Pass<"mica-plain-make-kernel-entries", "mlir::ModuleOp"> {
  let summary = "Add the function that the runtime calls for a kernel";
  let description = [{
    In the module of a kernel of a program in phase `lowered`: a function that takes the structure of arguments, calls the
    kernel and returns the status.

    Example:

    ```mlir
    func.func @k(%a: memref<4xf32>, %part: index, %parts: index) attributes {mica_sched.grid = 1 : i64}
    // gets beside it
    func.func @mica_kernel_k(%args: !llvm.ptr) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
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
    `memref.reinterpret_cast`, with the strides computed from its sizes. So does a `memref.reshape`,
    with sizes read from its shape.

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
    at a time. With `keep-signatures`, a function without a body remains of each entry and says what it takes and gives.

    Example:

    ```mlir
    llvm.func @mica_plain_f(%p: !llvm.ptr, %q: !llvm.ptr, %offset: i64, %size: i64, %stride: i64) -> i64
        attributes {llvm.emit_c_interface, plain_entry = ["f", (memref<4xf32>) -> index]}
    // gets beside it
    llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32
    ```
  }];
  let options = [Option<"keepSignatures", "keep-signatures", "bool", "false", "Leave what entries take and give">];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_PLAIN_PASSES
