//===- MicaSchedOps.td - the operations of the dialect `mica_sched` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_OPS
#define MICASCHED_OPS

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
// On tensors: phase dispatch
//===------------------------------------------------------------------------------===//

def MicaSched_DispatchOp : MicaSched_Op<"dispatch", [
    AttrSizedOperandSegments, Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "one call of a kernel, on tensors";
  let description = [{
    Calls kernel `kernel` with `inputs` and `scalars`; the results are what it writes. `sizes` gives the dynamic sizes of
    the results, result by result, outermost dimension first. `op_ids` are the ids of the ops this call stands for, in
    the order of the kernel's own list: the same kernel called elsewhere stands for other ops.

    A buffer of access `readwrite` is an input that the kernel changes: a result takes over its memory. `updates` says for
    each result which input that is, -1 for a result with memory of its own. As values both are different tensors; whoever
    makes buffers of them sees to it that nobody needs the input any more.

    Constraints:
    - (C1) `kernel` names a module with the attribute `mica_sched.kernel` that holds a function of the module's name.
    - (C2) `inputs` have the types of the kernel's buffers of access `read` and `readwrite`, in order.
    - (C3) the results have the types of the kernel's buffers of access `write` and `readwrite`, in order.
    - (C4) `scalars` have the types of the kernel's scalar arguments, in order.
    - (C5) there are as many `sizes` as dynamic dimensions in the results.
    - (C6) where given, `op_ids` has as many entries as the kernel's `mica_sched.op_ids`.
    - (C7) `updates` has an entry for each result, as the kernel's buffers of access `readwrite` have it; it is left out where
      the kernel has none.

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
    /// The input whose memory result `index` takes over; null where it has memory of its own.
    ::mlir::OpOperand *getUpdatedInput(unsigned index);
  }];
}

def MicaSched_OnBuffersOp : MicaSched_Op<"on_buffers", [
    AttrSizedOperandSegments, SingleBlock, NoTerminator, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize", "isWritable"]>]> {
  let summary = "code on buffers, as a function of tensors";
  let description = [{
    Loops, loads and stores that a program has on buffers. The body sees each operand as a buffer: those of `reads` it only
    reads; for each of `updates` there is a result, which is the operand's value changed by what the body stores. Scalars
    come from around the op. The operands themselves do not change.

    Such code is a kernel of its own in phase `dispatch`, and its body becomes part of the kernel when that is bufferized.
    With `host` it has effects beyond its buffers, as calls that print have, and runs in the host function, in order.

    Constraints:
    - (C1) the body has one argument per operand, `reads` first: a buffer of identity layout with the operand's element type and
      shape; sizes that one of the two does not know agree.
    - (C2) the results have the types of `updates`, in order.

    Example:

    ```mlir
    %r = mica_sched.on_buffers reads(%x : tensor<4xf32>) updates(%y : tensor<4xf32>) {
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
    /// The argument of the body that stands for operand `index`, `reads` first.
    ::mlir::BlockArgument getBuffer(unsigned index) { return getBody().front().getArgument(index); }
  }];
}

//===------------------------------------------------------------------------------===//
// Task lists: phase schedule
//===------------------------------------------------------------------------------===//

def MicaSched_TaskListOp : MicaSched_Op<"task_list", [
    IsolatedFromAbove, Symbol, SingleBlock, NoTerminator, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a straight-line region of a program: what the runtime walks";
  let description = [{
    Tasks with the buffers they work on, in an order in which they could run one after the other; the tokens between them say
    which may run at the same time. The arguments are the list's parameters: buffers that outlive it, then scalars. The list
    has an arena of `arena_bytes` bytes that exists while it runs.

    A list is data: it holds no computation. It maps one to one to `artifact::TaskList`: memref arguments are its
    parameters, index arguments its scalars, the buffer operations its other buffers, the tasks its tasks.

    Constraints:
    - (C1) the arguments are memrefs with identity layout, then index values.
    - (C2) the body holds buffer operations (`arena`, `constant`, `dynamic`, `view`) and tasks only.
    - (C3) `arena_bytes` is a multiple of 64, and every `arena` buffer lies inside the arena.

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
    /// The memref arguments: the buffers a submit passes.
    ::mlir::ArrayRef<::mlir::BlockArgument> getBufferParameters();
    /// The index arguments: the scalars a submit passes.
    ::mlir::ArrayRef<::mlir::BlockArgument> getScalarParameters();
  }];
}

def MicaSched_TaskOp : MicaSched_Op<"task", [
    AttrSizedOperandSegments, HasParent<"TaskListOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one launch of a kernel in a task list";
  let description = [{
    Launches `kernel` with `buffers` (one per buffer argument of the kernel) and `scalars`, once every task in `dependencies`
    is done. The result is the token of this task. `op_ids` are the ids of the ops it stands for.

    Constraints:
    - (C1) `kernel` names a kernel.
    - (C2) `buffers` have the types of the kernel's buffers, in order.
    - (C3) `scalars` are every dynamic dimension of every buffer, buffer by buffer, outermost first, then the kernel's
      scalar arguments.
    - (C4) `op_ids` has as many entries as the kernel's `mica_sched.op_ids`.
    - (C5) no buffer that the kernel writes is bound to it twice.

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
  let summary = "a buffer in the arena of a task list";
  let description = [{
    `offset` bytes from the start of the arena. Buffers whose lifetimes do not overlap may lie in the same place.

    Constraints:
    - (C1) the buffer has a static shape and identity layout.
    - (C2) `offset` is a multiple of 64, not negative.

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
  let summary = "a buffer whose size is known when its task list is submitted";
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
// In task lists and host functions
//===------------------------------------------------------------------------------===//

def MicaSched_ConstantOp : MicaSched_Op<"constant", [Pure]> {
  let summary = "a buffer that holds a constant of the program";
  let description = [{
    Read only; the same memory for every use of equal values.

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
  let summary = "the same memory under another shape";
  let description = [{
    The bytes of `source` from `offset` on, as another buffer. In a host function `sizes` gives the dynamic sizes of the
    result; in a task list there are none, tasks pass them.

    Constraints:
    - (C1) the result has identity layout.
    - (C2) `offset` is a multiple of 64, not negative.
    - (C3) where both sizes are known, the result lies inside the source.
    - (C4) in a host function there are as many `sizes` as dynamic dimensions in the result, in a task list none.

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
// In host functions: phase schedule
//===------------------------------------------------------------------------------===//

def MicaSched_SubmitOp : MicaSched_Op<"submit", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "queue a task list";
  let description = [{
    Queues `list` with its parameters and returns before the work is done. Lists run in the order of submission where one
    depends on another's buffers.

    Constraints:
    - (C1) `list` names a task list.
    - (C2) `buffers` have the types of the list's buffer parameters, `scalars` are as many as its scalar parameters.

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
  let summary = "wait until everything submitted is done";
  let description = [{
    What the host function reads from a buffer after this, the tasks have written.

    Example:

    ```mlir
    mica_sched.wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def MicaSched_ResultOp : MicaSched_Op<"result", []> {
  let summary = "the memory of a result of the host function";
  let description = [{
    Fixes the shape of result `index` and gives the memory to write it to. Once per result.

    Constraints:
    - (C1) the buffer has identity layout, and there are as many `sizes` as it has dynamic dimensions.
    - (C2) `index` is that of a result of the function around.

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
  let summary = "memory that lives until the host function returns";
  let description = [{
    For buffers that pass between task lists or through control flow.

    Constraints:
    - (C1) the buffer has identity layout, and there are as many `sizes` as it has dynamic dimensions.

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

def MicaSched_ByteSizeOp : MicaSched_Op<"byte_size", []> {
  let summary = "how many bytes a buffer takes";
  let description = [{
    The product of all sizes and of the bytes of an element. Where a size is negative, or the product is no i64, or beyond what the
    machine has, the runtime says so and the host function ends.

    Constraints:
    - (C1) the buffer has identity layout, and there are as many `sizes` as it has dynamic dimensions.
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
  let summary = "whether memory of one shape can be seen as that of another";
  let description = [{
    The sizes that a program computes may not fit the tensor whose elements it sees in another shape. Where the two have not the same
    number of elements, or, with `same_sizes`, one size differs, or a size is negative, the runtime says so and the call ends: of a
    host function, or of a kernel. In force whatever `assert-level` is, as what follows would touch memory outside the tensor.

    Constraints:
    - (C1) there are as many sizes before and behind `to` as the type there has dynamic dimensions.

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
  let summary = "whether sizes can be added up";
  let description = [{
    A dimension that is put together of parts (by padding, by concatenation) has their sum as its size. Where one is negative, or the sum is no
    i64, the runtime says so and the call ends, as with `mica_sched.check_reshape`. `type` is that of the elements.

    Constraints:
    - (C1) there are two sizes or more.

    Example:

    ```mlir
    mica_sched.check_sum %low, %n, %high : f32
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, TypeAttr:$type);
  let assemblyFormat = "$sizes `:` $type attr-dict";
  let hasVerifier = 1;
}

#endif // MICASCHED_OPS
