//===- ShapeOps.td - constants and changes of shape ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Operations that move elements, and the constant.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_SHAPE_OPS
#define MICA_SHAPE_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_ConstantOp : Mica_Op<"constant", [
    ConstantLike, TypesMatchWith<"(C2) the result has the value's type", "value", "result", "$_self">]> {
  let summary = "A tensor known at compile time";
  let description = [{
    The result is `value`: a `dense` attribute, or a `dense_resource` whose bytes lie outside of the text.

    Constraints:
    - (C1) the value is `dense` or `dense_resource`;
    - (C2) the result has the value's type.

    Example:

    ```mlir
    func.func @constant() -> tensor<2x2xf32> {
      %0 = mica.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Mica_TransposeOp : Mica_InferredOp<"transpose"> {
  let summary = "Permutation of dimensions";
  let description = [{
    Dimension d of the result is dimension `permutation[d]` of the operand.

    Constraints:
    - (C1) `permutation` holds each of 0 .. rank - 1 once;
    - (C2) the result has the operand's element type and the shape that follows.

    Example:

    ```mlir
    func.func @transpose(%x: tensor<?x12x64x32xf32>) -> tensor<?x64x12x32xf32> {
      %0 = mica.transpose %x permutation = [0, 2, 1, 3] : (tensor<?x12x64x32xf32>) -> tensor<?x64x12x32xf32>
      return %0 : tensor<?x64x12x32xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input `permutation` `=` $permutation attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Mica_ReshapeOp : Mica_Op<"reshape", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "The same elements in another shape";
  let description = [{
    The elements of the operand in row-major order, in the shape of the result type. One dimension of the result may be
    dynamic: its size is the number of elements divided by the product of the others.

    Constraints:
    - (C1) operand and result have the same element type;
    - (C2) at most one dimension of the result is dynamic;
    - (C3) operand and result have the same number of elements; where the result has a dynamic dimension, its other
      sizes' product is not 0 and divides the number of elements.

    Example:

    ```mlir
    func.func @flatten(%x: tensor<?x5x5x16xf32>) -> tensor<?x400xf32> {
      %0 = mica.reshape %x : (tensor<?x5x5x16xf32>) -> tensor<?x400xf32>
      return %0 : tensor<?x400xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Mica_BroadcastOp : Mica_Op<"broadcast", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "Repetition of a tensor along dimensions";
  let description = [{
    The last dimensions of operand and result are aligned, as in NumPy. A dimension that the operand lacks, or that is
    statically 1 in it, is repeated; the others are taken over. `sizes` gives the size of each dynamic dimension of the
    result, in order.

    Constraints:
    - (C1) operand and result have the same element type;
    - (C2) the result's rank is at least the operand's;
    - (C3) each dimension of the operand has the size of the result's, or is statically 1;
    - (C4) there are as many `sizes` as the result has dynamic dimensions.

    Example:

    ```mlir
    func.func @rows(%x: tensor<8xf32>, %n: index) -> tensor<?x8xf32> {
      %0 = mica.broadcast %x sizes(%n) : (tensor<8xf32>, index) -> tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Variadic<Index>:$sizes);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input (`sizes` `(` $sizes^ `)`)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

#endif // MICA_SHAPE_OPS
