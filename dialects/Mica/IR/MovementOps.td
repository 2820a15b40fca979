//===- MovementOps.td - operations that pick, place and order elements ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Operations that compute nothing with the elements: they pick them, place them elsewhere, repeat them or order them.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_MOVEMENT_OPS
#define MICA_MOVEMENT_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_ScatterKind : I32EnumAttr<"ScatterKind", "what mica.scatter does with the element that is there", [
    I32EnumAttrCase<"Update", 0, "update">,
    I32EnumAttrCase<"Add", 1, "add">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ScatterKindAttr : EnumAttr<Mica_Dialect, Mica_ScatterKind, "scatter_kind">;

//===------------------------------------------------------------------------------===//
// By computed positions
//===------------------------------------------------------------------------------===//

def Mica_GatherOp : Mica_InferredOp<"gather"> {
  let summary = "Slices of a tensor at given positions along one dimension";
  let description = [{
    The dimension `axis` of the operand gives way to the dimensions of `indices`:
    `result[o.., j.., t..] = input[o.., indices[j..], t..]`. The first `batch_dims` dimensions of both are shared: they
    occur once in the result, and each has its own indices. With `batch_dims = axis` on the last dimension this is
    taking along an axis.

    An index below 0, or not below the size of `axis`, reads nothing: the elements of its slice are 0.

    Constraints:
    - (C1) the elements of `indices` are `i32` or `i64`;
    - (C2) `axis` is at least 0 and smaller than the operand's rank;
    - (C3) `batch_dims` is at least 0, at most `axis` and at most the rank of `indices`;
    - (C4) operand and indices agree in the first `batch_dims` sizes;
    - (C5) the result has the operand's element type and the shape that follows.

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
    $input `,` $indices `axis` `=` $axis (`batch_dims` `=` $batch_dims^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Mica_EmbeddingOp : Mica_InferredOp<"embedding"> {
  let summary = "Rows of a table";
  let description = [{
    `result[j.., d] = table[indices[j..], d]`. An index below 0, or not below the number of rows, reads nothing: its row
    is 0.

    Constraints:
    - (C1) the table has rank 2;
    - (C2) the elements of `indices` are `i32` or `i64`;
    - (C3) the result has the table's element type and the shape that follows.

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
  let assemblyFormat = "$table `,` $indices attr-dict `:` functional-type(operands, results)";
}

def Mica_ScatterOp : Mica_SameTypeOp<"scatter"> {
  let summary = "A tensor with slices replaced, or added to, at given positions along one dimension";
  let description = [{
    The operand, in which for each place j of `indices` the slice at position `indices[j..]` of dimension `axis` is
    replaced by (`update`), or has added to it (`add`), the slice `updates[o.., j.., t..]`: what `mica.gather` with the
    same indices reads, this writes. The first `batch_dims` dimensions of operand, indices and updates are shared, as in
    `mica.gather`.

    The places are worked through in row-major order: of several with the same index the last one's elements stay, or
    all are added, one after the other, each sum rounded to the element type; integers wrap around. An index below 0, or
    not below the size of `axis`, writes nothing. The operand's memory is taken over or copied as in `mica.cache_update`.

    Constraints:
    - (C1) the elements of `indices` are `i32` or `i64`;
    - (C2) operand and updates have one element type; for `add` it is not `i1`;
    - (C3) `axis` is at least 0 and smaller than the operand's rank;
    - (C4) `batch_dims` is at least 0, at most `axis` and at most the rank of `indices`;
    - (C5) operand and indices agree in the first `batch_dims` sizes;
    - (C6) the updates have the shape of `mica.gather`'s result;
    - (C7) the result has the operand's type.

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
    `` $kind $input `,` $indices `,` $updates `axis` `=` $axis (`batch_dims` `=` $batch_dims^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Mica_CacheUpdateOp : Mica_SameTypeOp<"cache_update"> {
  let summary = "A tensor with a block of it replaced, at a position known at run time";
  let description = [{
    The cache, in which positions `position`, `position + 1`, .. of dimension `axis` hold the elements of `update`, as
    many as `update` has along it: the keys or values of new tokens written behind those of earlier ones. Positions below
    0, or not below the cache's size, write nothing.

    The result is a value of its own, written over the cache's memory wherever nobody else needs that: where an operation of
    the same region has computed the cache, or a loop carries it from iteration to iteration, and nothing reads the old
    elements afterwards. The cache is copied first where it is an argument of the function, a constant, the result of a
    branch or loop, or read again; one that a loop carries is copied once, before the loop.

    Constraints:
    - (C1) cache and update have the same element type;
    - (C2) `position` is a tensor of rank 0 of `i32` or `i64`;
    - (C3) `axis` is at least 0 and smaller than the cache's rank;
    - (C4) the update has the cache's rank and, but for `axis`, its sizes;
    - (C5) the result has the cache's type.

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
    $cache `,` $update `at` $position `axis` `=` $axis attr-dict `:` functional-type(operands, results)
  }];
}

//===------------------------------------------------------------------------------===//
// By fixed positions
//===------------------------------------------------------------------------------===//

def Mica_ConcatOp : Mica_InferredOp<"concat"> {
  let summary = "Tensors side by side along one dimension";
  let description = [{
    The elements of the operands, one operand behind the other along `axis`.

    Constraints:
    - (C1) there is an operand, and all have one element type and rank;
    - (C2) `axis` is at least 0 and smaller than the operands' rank;
    - (C3) the operands have the same size in every other dimension;
    - (C4) the result has the operands' element type and the shape that follows.

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
  let assemblyFormat = "$inputs `axis` `=` $axis attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mica_SplitOp : Mica_InferredOp<"split"> {
  let summary = "A tensor cut into parts along one dimension";
  let description = [{
    Result i holds the next `sizes[i]` positions of dimension `axis`.

    Constraints:
    - (C1) `axis` is at least 0 and smaller than the operand's rank, and the operand's size there is static;
    - (C2) no value of `sizes` is negative, and their sum is the operand's size in `axis`;
    - (C3) there is one result per size, of the operand's element type and the shape that follows.

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
  let assemblyFormat = "$input `axis` `=` $axis `sizes` `=` $sizes attr-dict `:` functional-type(operands, results)";
}

def Mica_SliceOp : Mica_InferredOp<"slice", [AttrSizedOperandSegments]> {
  let summary = "A block of a tensor, with strides";
  let description = [{
    `result[i..] = input[offsets[0] + i0 * strides[0], ..]`, with `sizes` elements along each dimension. Offsets and sizes
    are numbers, or values of type `index` where they are known at run time only.

    An offset whose slice would begin before the operand or end behind it is moved to the nearest one that fits: to
    between 0 and the operand's size less `(size - 1) * stride + 1`.

    Constraints:
    - (C1) there is an offset, a size and a stride for each dimension of the operand;
    - (C2) sizes are not negative, and strides are at least 1;
    - (C3) every slice fits: `(size - 1) * stride + 1` is at most the operand's size, and with a fixed offset the slice
      lies inside of the operand;
    - (C4) the result has the operand's element type and the shape that follows.

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
    $input `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes) `strides` `=` $strides attr-dict
    `:` functional-type(operands, results)
  }];
  let moreClassDeclaration = [{
    /// Offsets and sizes, numbers and values in one list.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
  let hasFolder = 1;
}

def Mica_TileOp : Mica_InferredOp<"tile"> {
  let summary = "A tensor repeated along its dimensions";
  let description = [{
    Dimension d of the result holds the operand's `multiples[d]` times, one copy behind the other.

    Constraints:
    - (C1) `multiples` has a value for each dimension of the operand, at least 1;
    - (C2) the result has the operand's element type and the shape that follows.

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
  let assemblyFormat = "$input `multiples` `=` $multiples attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mica_FlipOp : Mica_SameTypeOp<"flip", [SameOperandsAndResultType]> {
  let summary = "A tensor with the order of elements reversed along dimensions";
  let description = [{
    Along each of `dims` the first position of the operand becomes the last of the result, and so on.

    Constraints:
    - (C1) `dims` is strictly increasing and within the operand's rank;
    - (C2) the result has the operand's type.

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
// By order
//===------------------------------------------------------------------------------===//

def Mica_SortOp : Mica_InferredOp<"sort"> {
  let summary = "Elements in order along one dimension, and where they came from";
  let description = [{
    `values` holds the elements along `axis` from the smallest to the largest, with `descending` from the largest to the
    smallest; `indices`, of `i64`, the position in the operand of each. The sort is stable: elements that compare equal
    stay in the operand's order. NaN counts as larger than every number and equal to NaN, -0 as equal to +0, and on `i1`
    0 comes before 1.

    Constraints:
    - (C1) `axis` is at least 0 and smaller than the operand's rank;
    - (C2) `values` has the operand's type, `indices` its shape and `i64` elements.

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
    $input `axis` `=` $axis (`descending` $descending^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_TopKOp : Mica_InferredOp<"top_k"> {
  let summary = "The largest elements along one dimension, and where they came from";
  let description = [{
    The first `k` elements along `axis` of `mica.sort` with `descending`, with `smallest` of `mica.sort` without: the
    largest first, of equal ones the one with the lower position first, and NaN before every number (with `smallest` after).

    Constraints:
    - (C1) `axis` is at least 0 and smaller than the operand's rank;
    - (C2) `k` is at least 0 and at most the operand's size in `axis`;
    - (C3) `values` has the operand's element type, `indices` `i64`, both the operand's shape with `k` in `axis`.

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
    $input `k` `=` $k `axis` `=` $axis (`smallest` $smallest^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MICA_MOVEMENT_OPS
