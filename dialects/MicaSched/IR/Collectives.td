//===- Collectives.td - communication between ranks ----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_COLLECTIVES
#define MICASCHED_COLLECTIVES

include "dialects/MicaSched/IR/MicaSchedDialect.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MicaSched_CollectiveKind : I32EnumAttr<"CollectiveKind", "what the ranks of a group exchange", [
    I32EnumAttrCase<"AllReduce", 0, "all_reduce">, I32EnumAttrCase<"AllGather", 1, "all_gather">,
    I32EnumAttrCase<"AllSlice", 2, "all_slice">, I32EnumAttrCase<"AllToAll", 3, "all_to_all">,
    I32EnumAttrCase<"Broadcast", 4, "broadcast">, I32EnumAttrCase<"Gather", 5, "gather">,
    I32EnumAttrCase<"Reduce", 6, "reduce">, I32EnumAttrCase<"ReduceScatter", 7, "reduce_scatter">,
    I32EnumAttrCase<"Scatter", 8, "scatter">, I32EnumAttrCase<"Send", 9, "send">,
    I32EnumAttrCase<"Recv", 10, "recv">, I32EnumAttrCase<"Shift", 11, "shift">,
    I32EnumAttrCase<"Index", 12, "index">]> {
  let cppNamespace = "::mica::sched";
}

def MicaSched_RankReduction : I32EnumAttr<"RankReduction", "how elements of several ranks become one", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Average", 1, "average">,
    I32EnumAttrCase<"Product", 2, "product">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Max", 4, "max">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">]> {
  let cppNamespace = "::mica::sched";
}

def MicaSched_CollectiveOp : MicaSched_Op<"collective", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "exchange of buffers between ranks";
  let description = [{
    The ranks of a program form a grid of the sizes `grid`; the rank's number is its position in row-major order. The
    ranks whose positions differ along `axes` only are a group; a member's number is its position along `axes`, the
    first axis outermost. Each rank of a group executes the op with a `source` of its own, and `target` becomes:

    | kind | `target` |
    |---|---|
    | `all_reduce` | the sources of all members, combined element by element by `reduction` |
    | `all_gather` | the sources, concatenated along dimension `dim` in the order of the members |
    | `all_slice` | the part of the member's own source along `dim` that has the member's number; nothing is sent |
    | `all_to_all` | part i of each source along `dim` goes to member i, which concatenates them along `concat_dim` |
    | `broadcast` | the source of member `peer` |
    | `gather`, `reduce` | as `all_gather` and `all_reduce`, on member `peer`; zeros on others |
    | `reduce_scatter` | the member's part along `dim` of what `all_reduce` computes |
    | `scatter` | the member's part along `dim` of the source of member `peer` |
    | `send` | the source, which goes to member `peer` |
    | `recv` | what member `peer` sends |
    | `shift` | the source of the rank that is `offset` positions after this one along `shift_axis`. Beyond the end: zeros, or with `rotate` the ranks from the other end |
    | `index` | one element: the rank's number. There is no `source` |

    In phase `dispatch` an op of the dialect `shard` becomes this op in a `mica_sched.buffer_region`, and thus a kernel
    of its own. The runtime performs it; its code does nothing.

    Constraints:
    - (C1) `axes` are different axes of `grid`, whose sizes are positive.
    - (C2) all kinds but `index` have a `source` of the element type of `target`; `index` has none, and one i64 or
      index element.
    - (C3) a `reduction` is there for `all_reduce`, `reduce` and `reduce_scatter` only.
    - (C4) `dim` is a dimension of `target`, for the kinds that the table names it for only; `concat_dim` likewise.
    - (C5) `peer` is a member of the group, for the kinds that the table names it for only.
    - (C6) `shift_axis` is one of `axes`, for `shift` only, as are `offset` and `rotate`.
    - (C7) the sizes of `target` follow from those of `source` as the table says.

    Example:

    ```mlir
    mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf32>
      on [2, 4] axes [1] reduction sum
    ```
  }];
  let arguments = (ins MicaSched_CollectiveKind:$kind, Optional<AnyMemRef>:$source, AnyMemRef:$target,
                       DenseI64ArrayAttr:$grid, DenseI64ArrayAttr:$axes,
                       OptionalAttr<MicaSched_RankReduction>:$reduction, OptionalAttr<I64Attr>:$dim,
                       OptionalAttr<I64Attr>:$concat_dim, OptionalAttr<I64Attr>:$peer,
                       OptionalAttr<I64Attr>:$shift_axis, OptionalAttr<I64Attr>:$offset, UnitAttr:$rotate);
  let assemblyFormat = [{
    $kind (`from` $source^ `:` type($source))? `to` $target `:` type($target) `on` $grid `axes` $axes
    (`reduction` $reduction^)? (`dim` $dim^)? (`concat_dim` $concat_dim^)? (`peer` $peer^)?
    (`shift_axis` $shift_axis^)? (`offset` $offset^)? (`rotate` $rotate^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of ranks of a group.
    int64_t groupSize();
  }];
}

#endif // MICASCHED_COLLECTIVES
