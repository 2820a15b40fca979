//===- MovementOps.td - data movement ------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Ops that move, repeat or reorder elements without computing with them.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_MOVEMENT_OPS
#define MICA_MOVEMENT_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_ScatterKind : I32EnumAttr<"ScatterKind", "operation of mica.scatter on existing elements", [
    I32EnumAttrCase<"Update", 0, "update">,
    I32EnumAttrCase<"Add", 1, "add">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ScatterKindAttr : EnumAttr<Mica_Dialect, Mica_ScatterKind, "scatter_kind">;

//===------------------------------------------------------------------------------===//
// Dynamic positions
//===------------------------------------------------------------------------------===//

def Mica_GatherOp : Mica_InferredOp<"gather"> {
  let summary = "gather of slices at given indices along one dimension";
  let description = [{
    The dimensions of `indices` replace the dimension `axis` of the operand:
    `result[o.., j.., t..] = input[o.., indices[j..], t..]`. The first `batch_dims` dimensions of operand and
    indices are shared: they occur once in the result, and each batch has its own indices. With
    `batch_dims = axis` and the last dimension as `axis`, this is NumPy's `take_along_axis`.

    If an index is negative or not less than the size of `axis`, nothing is read, and the elements of its slice
    are 0.

    Constraints:
    - (C1) the element type of `indices` is `i32` or `i64`;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) `batch_dims` is at least 0, at most `axis` and at most the rank of `indices`;
    - (C4) the first `batch_dims` sizes of operand and indices are equal;
    - (C5) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @gather(%x: tensor<?x50x8xf32>, %i: tensor<?x3xi64>) -> tensor<?x3x8xf32> {
      %0 = mica.gather %x, %i axis = 1 batch_dims = 1 : (tensor<?x50x8xf32>, tensor<?x3xi64>) -> tensor<?x3x8xf32>
      return %0 : tensor<?x3x8xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$indices, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices
    `` custom<Clauses>("\"axis=\"", $axis, "\"batch_dims=?\"", $batch_dims)
    attr-dict `:` custom<Types>(type($input), type($indices), type($result))
  }];
}

def Mica_EmbeddingOp : Mica_InferredOp<"embedding"> {
  let summary = "lookup of rows in a table";
  let description = [{
    `result[j.., d] = table[indices[j..], d]`. If an index is negative or not less than the number of rows,
    nothing is read, and its row is 0.

    Constraints:
    - (C1) the table has rank 2;
    - (C2) the element type of `indices` is `i32` or `i64`;
    - (C3) the result has the element type of the table and the inferred shape.

    Example:

    ```mlir
    func.func @embedding(%t: tensor<1000x64xf32>, %i: tensor<?x16xi32>) -> tensor<?x16x64xf32> {
      %0 = mica.embedding %t, %i : (tensor<1000x64xf32>, tensor<?x16xi32>) -> tensor<?x16x64xf32>
      return %0 : tensor<?x16x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$table, Mica_Tensor:$indices);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $table `,` $indices
    attr-dict `:` custom<Types>(type($table), type($indices), type($result))
  }];
}

def Mica_ScatterOp : Mica_SameTypeOp<"scatter"> {
  let summary = "update of, or addition to, slices at given indices along one dimension";
  let description = [{
    The result is the operand, except that for each position j of `indices`, the slice at index `indices[j..]`
    of the dimension `axis` is replaced by (`update`), or incremented by (`add`), the slice
    `updates[o.., j.., t..]`. This is where `mica.gather` with the same indices reads. The first `batch_dims`
    dimensions of operand, indices and updates are shared, as in `mica.gather`.

    Positions are processed in row-major order. If several indices are equal, the last update wins, or all are
    added one after the other, and each sum is rounded to the element type; integers wrap around. If an index is
    negative or not less than the size of `axis`, nothing is written. The memory of the operand is reused or
    copied as for `mica.cache_update`.

    Constraints:
    - (C1) the element type of `indices` is `i32` or `i64`;
    - (C2) operand and updates have the same element type, which for `add` is not `i1`;
    - (C3) `axis` is at least 0 and less than the rank of the operand;
    - (C4) `batch_dims` is at least 0, at most `axis` and at most the rank of `indices`;
    - (C5) the first `batch_dims` sizes of operand and indices are equal;
    - (C6) the updates have the shape of the result of `mica.gather`;
    - (C7) the result has the type of the operand.

    Example:

    ```mlir
    func.func @scatter(%x: tensor<50x?xf32>, %i: tensor<3xi64>, %u: tensor<3x?xf32>) -> tensor<50x?xf32> {
      %0 = mica.scatter add %x, %i, %u axis = 0
         : (tensor<50x?xf32>, tensor<3xi64>, tensor<3x?xf32>) -> tensor<50x?xf32>
      return %0 : tensor<50x?xf32>
    }
    ```
  }];
  let arguments = (ins Mica_ScatterKindAttr:$kind, Mica_Tensor:$input, Mica_Tensor:$indices, Mica_Tensor:$updates,
                       I64Attr:$axis, DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $input `,` $indices `,` $updates
    `` custom<Clauses>("\"axis=\"", $axis, "\"batch_dims=?\"", $batch_dims)
    attr-dict `:` custom<Types>(type($input), type($indices), type($updates), type($result))
  }];
}

def Mica_CacheUpdateOp : Mica_SameTypeOp<"cache_update"> {
  let summary = "replacement of a slice of a tensor at a dynamic position";
  let description = [{
    The result is the cache, except that the positions `position`, `position + 1`, .. of the dimension `axis`,
    as many as `update` has along `axis`, hold the elements of `update`. A typical use is to append the keys or
    values of new tokens to those of earlier ones. At positions that are negative or not less than the size of
    the cache, nothing is written.

    The result is a new value, but it is written in place if nothing else needs the memory of the cache: if an
    op of the same region computed the cache, or a loop carries it from iteration to iteration, and nothing
    reads the old elements afterwards. Otherwise, that is, if the cache is a function argument, a constant or
    the result of a branch or loop, or is read again, it is copied first; a cache that a loop carries is copied
    once, before the loop.

    Constraints:
    - (C1) cache and update have the same element type;
    - (C2) `position` is a tensor of rank 0 of `i32` or `i64`;
    - (C3) `axis` is at least 0 and less than the rank of the cache;
    - (C4) the update has the rank of the cache and, except for `axis`, its sizes;
    - (C5) the result has the type of the cache.

    Example:

    ```mlir
    func.func @append(%c: tensor<1x8x512x64xf32>, %n: tensor<1x8x1x64xf32>, %p: tensor<i64>) -> tensor<1x8x512x64xf32> {
      %0 = mica.cache_update %c, %n at %p axis = 2
         : (tensor<1x8x512x64xf32>, tensor<1x8x1x64xf32>, tensor<i64>) -> tensor<1x8x512x64xf32>
      return %0 : tensor<1x8x512x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$cache, Mica_Tensor:$update, Mica_Tensor:$position, I64Attr:$axis);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $cache `,` $update
    `` custom<Clauses>("\"at $\"", $position, "\"axis=\"", $axis)
    attr-dict `:` custom<Types>(type($cache), type($update), type($position), type($result))
  }];
}

//===------------------------------------------------------------------------------===//
// Static positions and slices
//===------------------------------------------------------------------------------===//

def Mica_ConcatOp : Mica_InferredOp<"concat"> {
  let summary = "concatenation along one dimension";
  let description = [{
    Concatenates the operands along `axis`.

    Constraints:
    - (C1) there is at least one operand, and all operands have the same element type and rank;
    - (C2) `axis` is at least 0 and less than the rank of the operands;
    - (C3) the operands have the same size in every other dimension;
    - (C4) the result has the element type of the operands and the inferred shape.

    Example:

    ```mlir
    func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x5xf32>) -> tensor<?x8xf32> {
      %0 = mica.concat %a, %b axis = 1 : (tensor<?x3xf32>, tensor<?x5xf32>) -> tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Mica_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis
    attr-dict `:` custom<Types>(ref($inputs), type($inputs), type($result))
  }];
  let hasFolder = 1;
}

def Mica_SplitOp : Mica_InferredOp<"split"> {
  let summary = "split into parts along one dimension";
  let description = [{
    Result i contains the next `sizes[i]` positions of the dimension `axis`.

    Constraints:
    - (C1) `axis` is at least 0 and less than the rank of the operand, and the size of the operand along `axis`
      is static;
    - (C2) no value of `sizes` is negative, and their sum is the size of the operand along `axis`;
    - (C3) there is one result per size, with the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @split(%x: tensor<?x24xf32>) -> (tensor<?x8xf32>, tensor<?x16xf32>) {
      %0:2 = mica.split %x axis = 1 sizes = [8, 16] : (tensor<?x24xf32>) -> (tensor<?x8xf32>, tensor<?x16xf32>)
      return %0#0, %0#1 : tensor<?x8xf32>, tensor<?x16xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, I64Attr:$axis, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<Mica_Tensor>:$results);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"axis=\"", $axis, "\"sizes=\"", $sizes)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_SliceOp : Mica_InferredOp<"slice", [AttrSizedOperandSegments]> {
  let summary = "strided slice of a tensor";
  let description = [{
    `result[i..] = input[offsets[0] + i0 * strides[0], ..]`, with `sizes` elements in each dimension. Offsets
    and sizes are static, or values of type `index`.

    An offset for which the slice would not be within the operand is clamped to the nearest one for which it is:
    to the range from 0 to the size of the operand minus `(size - 1) * stride + 1`.

    Constraints:
    - (C1) there is one offset, one size and one stride per dimension of the operand;
    - (C2) sizes are not negative, and strides are at least 1;
    - (C3) every slice fits: `(size - 1) * stride + 1` is at most the size of the operand, and with a static
      offset the slice is within the operand;
    - (C4) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @slice(%x: tensor<?x32xf32>, %o: index, %n: index) -> tensor<?x4xf32> {
      %0 = mica.slice %x offsets = [%o, 1] sizes = [%n, 4] strides = [1, 2]
         : (tensor<?x32xf32>, index, index) -> tensor<?x4xf32>
      return %0 : tensor<?x4xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"offsets=\"", $offsets, $static_offsets, "\"sizes=\"", $sizes, $static_sizes,
                       "\"strides=\"", $strides)
    attr-dict `:` custom<Types>(type($input), ref($offsets), type($offsets), ref($sizes), type($sizes),
                                type($result))
  }];
  let moreClassDeclaration = [{
    /// Static and dynamic offsets, and sizes, in one list each.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
  let hasFolder = 1;
}

def Mica_TileOp : Mica_InferredOp<"tile"> {
  let summary = "repetition of a tensor along its dimensions";
  let description = [{
    Dimension d of the result contains the operand `multiples[d]` times.

    Constraints:
    - (C1) `multiples` has one value per dimension of the operand, and each value is at least 1;
    - (C2) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @tile(%x: tensor<?x3xf32>) -> tensor<?x6xf32> {
      %0 = mica.tile %x multiples = [1, 2] : (tensor<?x3xf32>) -> tensor<?x6xf32>
      return %0 : tensor<?x6xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, DenseI64ArrayAttr:$multiples);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input `multiples` `=` $multiples
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
  let hasFolder = 1;
}

def Mica_FlipOp : Mica_SameTypeOp<"flip", [SameOperandsAndResultType]> {
  let summary = "reversal of the order of elements along dimensions";
  let description = [{
    Along each dimension of `dims`, the first position of the operand becomes the last one of the result, and so
    on.

    Constraints:
    - (C1) `dims` is strictly increasing and within the rank of the operand;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @flip(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %0 = mica.flip %x dims = [0] : tensor<?x3xf32>
      return %0 : tensor<?x3xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` type($input)";
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------===//
// Sorting
//===------------------------------------------------------------------------------===//

def Mica_SortOp : Mica_InferredOp<"sort"> {
  let summary = "stable sort along one dimension, with indices";
  let description = [{
    `values` contains the elements along `axis` in ascending order, or in descending order with `descending`.
    `indices`, of type `i64`, contains the position of each element in the operand. The sort is stable: elements
    that compare equal keep their order. NaN compares greater than every number and equal to NaN, -0 compares
    equal to +0, and on `i1` 0 comes before 1.

    Constraints:
    - (C1) `axis` is at least 0 and less than the rank of the operand;
    - (C2) `values` has the type of the operand, and `indices` its shape and the element type `i64`.

    Example:

    ```mlir
    func.func @sort(%x: tensor<?x100xf32>) -> (tensor<?x100xf32>, tensor<?x100xi64>) {
      %0:2 = mica.sort %x axis = 1 descending : (tensor<?x100xf32>) -> (tensor<?x100xf32>, tensor<?x100xi64>)
      return %0#0, %0#1 : tensor<?x100xf32>, tensor<?x100xi64>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, I64Attr:$axis, UnitAttr:$descending);
  let results = (outs Mica_Tensor:$values, Mica_Tensor:$indices);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"axis=\"", $axis, "\"descending?\"", $descending)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_TopKOp : Mica_InferredOp<"top_k"> {
  let summary = "k largest elements along one dimension, with indices";
  let description = [{
    The first `k` elements along `axis` of `mica.sort` with `descending`, or, with `smallest`, of `mica.sort`
    without it. The largest (smallest) element comes first; of equal elements, the one with the lower index
    comes first. NaN comes before every number, or after every number with `smallest`.

    Constraints:
    - (C1) `axis` is at least 0 and less than the rank of the operand;
    - (C2) `k` is at least 0 and at most the size of the operand along `axis`;
    - (C3) `values` has the element type of the operand and `indices` has `i64`; both have the shape of the
      operand with size `k` along `axis`.

    Example:

    ```mlir
    func.func @top_k(%x: tensor<?x100xf32>) -> (tensor<?x5xf32>, tensor<?x5xi64>) {
      %0:2 = mica.top_k %x k = 5 axis = 1 : (tensor<?x100xf32>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
      return %0#0, %0#1 : tensor<?x5xf32>, tensor<?x5xi64>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, I64Attr:$k, I64Attr:$axis, UnitAttr:$smallest);
  let results = (outs Mica_Tensor:$values, Mica_Tensor:$indices);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"k=\"", $k, "\"axis=\"", $axis, "\"smallest?\"", $smallest)
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MICA_MOVEMENT_OPS
