//===- MicaSchedOps.td - ops of the mica_sched dialect -------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_OPS
#define MICASCHED_OPS

include "dialects/MicaSched/IR/Collectives.td"
include "dialects/MicaSched/IR/MicaSchedDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MicaSched_Scalar : AnyTypeOf<[AnySignlessInteger, Index], "an integer or index">;


//===------------------------------------------------------------------------------===//
// Phase dispatch: ops on tensors
//===------------------------------------------------------------------------------===//

def MicaSched_DispatchOp : MicaSched_Op<"dispatch", [
    AttrSizedOperandSegments, Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "call of a kernel on tensors";
  let description = [{
    Calls kernel `kernel` with `inputs` and `scalars`; the results are what it writes. `sizes` are the dynamic
    sizes of the results, result by result, outermost dimension first. `op_ids` are the ids of the ops that this
    call implements, in the order of the list of the kernel: another call of the same kernel implements other
    ops.

    A buffer with access `readwrite` is an input that the kernel updates in place: a result reuses its memory.
    `updates` gives, for each result, the index of this input, or -1 if the result has memory of its own. As
    values, the two are different tensors; bufferization has to ensure that the input has no later uses.

    Constraints:
    - (C1) `kernel` names a module with the attribute `mica_sched.kernel` that contains a function of the same
      name.
    - (C2) `inputs` have the types of the kernel's buffers with access `read` and `readwrite`, in order.
    - (C3) the results have the types of the kernel's buffers with access `write` and `readwrite`, in order.
    - (C4) `scalars` have the types of the kernel's scalar arguments, in order.
    - (C5) the number of `sizes` equals the number of dynamic dimensions of the results.
    - (C6) `op_ids`, if given, has as many entries as the kernel's `mica_sched.op_ids`.
    - (C7) `updates` has one entry per result, consistent with the kernel's buffers with access `readwrite`; it
      is omitted if the kernel has none.

    Example:

    ```mlir
    %r = mica_sched.dispatch @double_rows(%x) scalars(%n) sizes(%n) {op_ids = ["00000000000a"]}
       : (tensor<?x4xf32>, index) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs,
                       Variadic<MicaSched_Scalar>:$scalars, Variadic<Index>:$sizes,
                       OptionalAttr<StrArrayAttr>:$op_ids, OptionalAttr<DenseI64ArrayAttr>:$updates);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The values of `getSizes()` that belong to result `index`.
    ::mlir::OperandRange getResultSizes(unsigned index);
    /// The input whose memory result `index` reuses; null if the result has memory of its own.
    ::mlir::OpOperand *getUpdatedInput(unsigned index);
  }];
}

def MicaSched_BufferRegionOp : MicaSched_Op<"buffer_region", [
    AttrSizedOperandSegments, SingleBlock, NoTerminator, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize", "isWritable"]>]> {
  let summary = "code on buffers with tensor operands and results";
  let description = [{
    Contains the loops, loads and stores of a program on buffers. The body accesses each operand as a buffer. It
    only reads those of `reads`. For each one of `updates` there is a result: the value of the operand with the
    changes that the body stores. Scalars are used from the enclosing scope. The operands themselves do not
    change.

    In phase `dispatch` such code becomes a kernel of its own, and its body becomes part of the kernel when the
    kernel is bufferized. With `host`, the op has side effects beyond its buffers, such as calls that print, and
    is executed by the host function, in order.

    Constraints:
    - (C1) the body has one argument per operand, `reads` first: a buffer of identity layout with the element
      type and shape of the operand; a size may be dynamic in one of the two types.
    - (C2) the results have the types of `updates`, in order.

    Example:

    ```mlir
    %r = mica_sched.buffer_region reads(%x : tensor<4xf32>) updates(%y : tensor<4xf32>) {
    ^bb0(%from: memref<4xf32>, %to: memref<4xf32>):
      affine.for %i = 1 to 3 {
        %0 = memref.load %from[%i] : memref<4xf32>
        memref.store %0, %to[%i] : memref<4xf32>
      }
    } -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$reads, Variadic<AnyRankedTensor>:$updates, UnitAttr:$host);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`host` $host^)? (`reads` `(` $reads^ `:` type($reads) `)`)? (`updates` `(` $updates^ `:` type($updates) `)`)?
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The body argument for operand `index`, counting `reads` first.
    ::mlir::BlockArgument getBuffer(unsigned index) { return getBody().front().getArgument(index); }
  }];
}

//===------------------------------------------------------------------------------===//
// Phases tensor to lowered: functions that no kernel takes
//===------------------------------------------------------------------------------===//

def MicaSched_HostFunctionsOp : MicaSched_Op<"host_functions", [
    IsolatedFromAbove, SymbolTable, SingleBlock, NoTerminator, NoRegionArguments, HasParent<"::mlir::ModuleOp">]> {
  let summary = "functions of a program that have no kernels, as code";
  let description = [{
    Contains the entries that no kernel takes and what they call, lowered to the LLVM dialect by the reference
    lowering. Its symbols are its own. `entries` has the name, the signature, and the attributes of the arguments
    and of the results of each entry. At the end of phase `lowered` all of it becomes part of the host code.

    Constraints:
    - (C1) the body contains ops of the LLVM dialect only.
    - (C2) `entries` has a string, the type of a function and two arrays per entry, and the body has the function
      `mica_entry_<name>` for each.

    Example:

    ```mlir
    mica_sched.host_functions [["f", (f32) -> f32, [{} ], [{} ]]] {
      llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32
    }
    ```
  }];
  let arguments = (ins ArrayAttr:$entries);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$entries attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Phase schedule: task lists
//===------------------------------------------------------------------------------===//

def MicaSched_TaskListOp : MicaSched_Op<"task_list", [
    IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, HasParent<"::mlir::ModuleOp">]> {
  let summary = "straight-line region of a program as a list of tasks";
  let description = [{
    Contains tasks and the buffers they access, in an order in which they could be executed sequentially. Tokens
    between tasks determine which of them may run concurrently. The arguments are the parameters of the list:
    buffers that outlive it, then scalars. The list has an arena of `arena_bytes` bytes that exists while the
    list runs.

    A task list is data for the runtime: it contains no computation. It maps one to one to `artifact::TaskList`:
    memref arguments to its parameters, index arguments to its scalars, buffer ops to its other buffers, and
    tasks to its tasks.

    Constraints:
    - (C1) the arguments are memrefs with identity layout, followed by index values.
    - (C2) the body contains only buffer ops (`arena`, `constant`, `dynamic`, `view`) and tasks.
    - (C3) `arena_bytes` is a multiple of 64, and every `arena` buffer is within the arena.

    Example:

    ```mlir
    mica_sched.task_list @forward_0(%x: memref<4xf32>, %r: memref<4xf32>) arena 64 {
      %t = mica_sched.arena 0 : memref<4xf32>
      %0 = mica_sched.task @exp(%x, %t) {op_ids = ["00000000000a"]} : memref<4xf32>, memref<4xf32>
      %1 = mica_sched.task @exp(%t, %r) after(%0) {op_ids = ["00000000000b"]} : memref<4xf32>, memref<4xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$arena_bytes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The memref arguments, for which a submit passes buffers.
    ::mlir::ArrayRef<::mlir::BlockArgument> getBufferParameters();
    /// The index arguments, for which a submit passes scalars.
    ::mlir::ArrayRef<::mlir::BlockArgument> getScalarParameters();
  }];
}

def MicaSched_TaskOp : MicaSched_Op<"task", [
    AttrSizedOperandSegments, HasParent<"TaskListOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch of a kernel in a task list";
  let description = [{
    Launches `kernel` with `buffers` (one per buffer argument of the kernel) and `scalars` after all tasks in
    `dependencies` are complete. The result is the token of this task. `op_ids` are the ids of the ops that the
    task implements.

    Constraints:
    - (C1) `kernel` names a kernel.
    - (C2) `buffers` have the types of the kernel's buffers, in order.
    - (C3) `scalars` are all dynamic dimensions of all buffers, buffer by buffer, outermost first, followed by
      the kernel's scalar arguments.
    - (C4) `op_ids` has as many entries as the kernel's `mica_sched.op_ids`.
    - (C5) a buffer that the kernel writes is not bound to another argument as well.

    Example:

    ```mlir
    %0 = mica_sched.task @double_rows(%x, %r) scalars(%n, %n, %n) after(%t) {op_ids = ["00000000000a"]}
       : memref<?x4xf32>, memref<?x4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyMemRef>:$buffers, Variadic<Index>:$scalars,
                       Variadic<MicaSched_Token>:$dependencies, StrArrayAttr:$op_ids,
                       DefaultValuedAttr<StrAttr, "\"cpu:0\"">:$device);
  let results = (outs MicaSched_Token:$token);
  let assemblyFormat = [{
    $kernel `(` $buffers `)` (`scalars` `(` $scalars^ `)`)? (`after` `(` $dependencies^ `)`)? attr-dict (`:` type($buffers)^)?
  }];
}

def MicaSched_ArenaOp : MicaSched_Op<"arena", [Pure, HasParent<"TaskListOp">]> {
  let summary = "buffer in the arena of a task list";
  let description = [{
    A buffer at `offset` bytes from the start of the arena. Buffers with disjoint lifetimes may overlap.

    Constraints:
    - (C1) the buffer has a static shape and identity layout.
    - (C2) `offset` is a multiple of 64 and not negative.

    Example:

    ```mlir
    %t = mica_sched.arena 128 : memref<4x4xf32>
    ```
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$offset attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def MicaSched_DynamicOp : MicaSched_Op<"dynamic", [Pure, HasParent<"TaskListOp">]> {
  let summary = "buffer that is allocated when its task list is submitted";
  let description = [{
    Memory of `bytes` bytes that exists while the list runs.

    Constraints:
    - (C1) the buffer has a dynamic dimension and identity layout.

    Example:

    ```mlir
    %t = mica_sched.dynamic %bytes : memref<?x4xf32>
    ```
  }];
  let arguments = (ins Index:$bytes);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$bytes attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Phase schedule: task lists and host functions
//===------------------------------------------------------------------------------===//

def MicaSched_ConstantOp : MicaSched_Op<"constant", [Pure]> {
  let summary = "buffer with a constant of the program";
  let description = [{
    The buffer is read-only. Uses of equal values share the same memory.

    Constraints:
    - (C1) the buffer has the shape and element type of the value, and identity layout.

    Example:

    ```mlir
    %w = mica_sched.constant dense<[1.0, 2.0]> : tensor<2xf32> -> memref<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$value attr-dict `->` type($buffer)";
  let hasVerifier = 1;
}

def MicaSched_ViewOp : MicaSched_Op<"view", [Pure]> {
  let summary = "view of a buffer with another shape";
  let description = [{
    The bytes of `source` from `offset` on, as another buffer. In a host function, `sizes` are the dynamic sizes
    of the result. In a task list there are none, because tasks pass the sizes.

    Constraints:
    - (C1) the result has identity layout.
    - (C2) `offset` is a multiple of 64 and not negative.
    - (C3) if both sizes in bytes are known, the result is within the source.
    - (C4) in a host function, the number of `sizes` equals the number of dynamic dimensions of the result; in a
      task list there are none.

    Example:

    ```mlir
    %v = mica_sched.view %b at 0 : memref<4x4xf32> to memref<16xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, I64Attr:$offset, Variadic<Index>:$sizes);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = [{
    $source `at` $offset (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($source) `to` type($buffer)
  }];
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Phase schedule: host functions
//===------------------------------------------------------------------------------===//

def MicaSched_SubmitOp : MicaSched_Op<"submit", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "submission of a task list";
  let description = [{
    Queues `list` with its parameters and returns before its tasks are complete. Lists run in the order of
    submission where one depends on buffers of another.

    Constraints:
    - (C1) `list` names a task list.
    - (C2) `buffers` have the types of the buffer parameters of the list, and there are as many `scalars` as
      scalar parameters.

    Example:

    ```mlir
    mica_sched.submit @forward_0(%x, %r) scalars(%n) : memref<?xf32>, memref<?xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$list, Variadic<AnyMemRef>:$buffers, Variadic<Index>:$scalars);
  let assemblyFormat = [{
    $list `(` $buffers `)` (`scalars` `(` $scalars^ `)`)? attr-dict (`:` type($buffers)^)?
  }];
}

def MicaSched_WaitOp : MicaSched_Op<"wait", []> {
  let summary = "wait for all submitted task lists";
  let description = [{
    After this op, the host function can read from buffers what the tasks wrote.

    Example:

    ```mlir
    mica_sched.wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def MicaSched_ResultOp : MicaSched_Op<"result", []> {
  let summary = "memory of a result of the host function";
  let description = [{
    Fixes the shape of result `index` and returns the memory to write it to. Executed once per result.

    Constraints:
    - (C1) the buffer has identity layout, and the number of `sizes` equals the number of its dynamic
      dimensions.
    - (C2) `index` is the index of a result of the enclosing function.

    Example:

    ```mlir
    %r = mica_sched.result 0 sizes(%n) : memref<?x4xf32>
    ```
  }];
  let arguments = (ins I64Attr:$index, Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "$index (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def MicaSched_AllocOp : MicaSched_Op<"alloc", []> {
  let summary = "allocation of memory in a host function";
  let description = [{
    For buffers that are passed between task lists or through control flow. The memory is there until the host
    function returns or a `mica_sched.release` releases it.

    Constraints:
    - (C1) the buffer has identity layout, and the number of `sizes` equals the number of its dynamic
      dimensions.

    Example:

    ```mlir
    %b = mica_sched.alloc sizes(%n) : memref<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "(`sizes` `(` $sizes^ `)`)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def MicaSched_MarkOp : MicaSched_Op<"mark", []> {
  let summary = "position in the host function's allocations";
  let description = [{
    The number of buffers that the host function has allocated so far and not released. For
    `mica_sched.release`.

    Example:

    ```mlir
    %m = mica_sched.mark
    ```
  }];
  let results = (outs Index:$position);
  let assemblyFormat = "attr-dict";
}

def MicaSched_ReleaseOp : MicaSched_Op<"release", []> {
  let summary = "release of the buffers allocated since a mark";
  let description = [{
    Releases every buffer that the host function, or a function that it calls, has allocated since `mark`, except
    those that a buffer of `keep` is in or a view of. Later allocations reuse the memory. At the end of an
    iteration, `keep` are the buffers that the next one is given.

    Constraints:
    - (C1) `mark` is the result of a `mica_sched.mark`.

    Example:

    ```mlir
    mica_sched.release %m keep(%b : memref<4xf32>)
    ```
  }];
  let arguments = (ins Index:$mark, Variadic<AnyMemRef>:$keep);
  let assemblyFormat = "$mark (`keep` `(` $keep^ `:` type($keep) `)`)? attr-dict";
  let hasVerifier = 1;
}

def MicaSched_ByteSizeOp : MicaSched_Op<"byte_size", []> {
  let summary = "size of a buffer in bytes";
  let description = [{
    The product of all sizes and the size of an element in bytes. If a size is negative, or the product does not
    fit into an i64 or exceeds the memory of the machine, the runtime reports an error and the host function
    returns.

    Constraints:
    - (C1) the buffer has identity layout, and the number of `sizes` equals the number of its dynamic
      dimensions.
    - (C2) its elements have a fixed size in memory.

    Example:

    ```mlir
    %bytes = mica_sched.byte_size sizes(%n, %n) : memref<?x?xf32>
    ```
  }];
  let arguments = (ins TypeAttrOf<AnyMemRef>:$type, Variadic<Index>:$sizes);
  let results = (outs Index:$bytes);
  let assemblyFormat = "(`sizes` `(` $sizes^ `)`)? attr-dict `:` $type";
  let hasVerifier = 1;
}

def MicaSched_CheckReshapeOp : MicaSched_Op<"check_reshape", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "checks whether a tensor can be viewed in another shape";
  let description = [{
    Sizes that a program computes may not match the tensor whose elements they reinterpret. If the two shapes
    have different numbers of elements, or, with `same_sizes`, differ in a size, or if a size is negative, the
    runtime reports an error and ends the call of the host function or kernel. The check is in effect whatever
    `assert-level` is, because the ops that follow would access memory outside of the tensor.

    Constraints:
    - (C1) before and after `to`, the number of sizes equals the number of dynamic dimensions of the type.

    Example:

    ```mlir
    mica_sched.check_reshape sizes(%n) : tensor<?xf32> to sizes(%a, %b) : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins UnitAttr:$same_sizes, TypeAttrOf<AnyRankedTensor>:$from, Variadic<Index>:$from_sizes,
                       TypeAttrOf<AnyRankedTensor>:$to, Variadic<Index>:$to_sizes);
  let assemblyFormat = "(`same_sizes` $same_sizes^)? (`sizes` `(` $from_sizes^ `)`)? `:` $from `to` (`sizes` `(` $to_sizes^ `)`)? `:` $to attr-dict";
  let hasVerifier = 1;
}

def MicaSched_CheckSumOp : MicaSched_Op<"check_sum", [MemoryEffects<[MemWrite]>]> {
  let summary = "checks whether the sum of sizes is valid";
  let description = [{
    The size of a dimension that is assembled from parts, by padding or concatenation, is the sum of their
    sizes. If a size is negative, or the sum does not fit into an i64, the runtime reports an error and ends the
    call, as for `mica_sched.check_reshape`. `type` is the element type.

    Constraints:
    - (C1) there are at least two sizes.

    Example:

    ```mlir
    mica_sched.check_sum %low, %n, %high : f32
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, TypeAttr:$type);
  let assemblyFormat = "$sizes `:` $type attr-dict";
  let hasVerifier = 1;
}

def MicaSched_CheckSizesOp : MicaSched_Op<"check_sizes", [MemoryEffects<[MemWrite]>]> {
  let summary = "checks a requirement on sizes or positions";
  let description = [{
    Host functions only. What an op requires of sizes that are known at run time only: the sizes of a loop's
    operands are equal, a slice is inside of its tensor. If `ok` is false, the run fails and names the op;
    `message` says what is wrong, with `values` in the places of `{0}`, `{1}`, ..; `{1:f}` shows the bits of a
    f64. The check is in effect whatever `assert-level` is. With `mica_check.report = "loop"` it says that a loop
    ends, and its failure is none of sizes.

    Constraints:
    - (C1) the number in each pair of braces of `message` is less than the number of `values`.

    Example:

    ```mlir
    mica_sched.check_sizes %equal, "dimension 0 of argument 1 is {0}, expected {1}" (%n, %m)
    ```
  }];
  let arguments = (ins I1:$ok, StrAttr:$message, Variadic<Index>:$values);
  let assemblyFormat = "$ok `,` $message (`(` $values^ `)`)? attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // MICASCHED_OPS
