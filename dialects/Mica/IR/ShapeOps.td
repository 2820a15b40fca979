//===- ShapeOps.td - constants and shapes --------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// The constant op, and ops that change the shape of a tensor.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_SHAPE_OPS
#define MICA_SHAPE_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_ConstantOp : Mica_Op<"constant", [
    ConstantLike, TypesMatchWith<"(C2) the result has the value's type", "value", "result", "$_self">]> {
  let summary = "constant tensor";
  let description = [{
    The result is `value`: a `dense` attribute, or a `dense_resource` whose bytes are stored separately.

    Constraints:
    - (C1) the value is `dense` or `dense_resource`;
    - (C2) the result has the type of the value.

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
  let summary = "permutation of dimensions";
  let description = [{
    Dimension d of the result is dimension `permutation[d]` of the operand.

    Constraints:
    - (C1) `permutation` contains each of 0 .. rank - 1 once;
    - (C2) the result has the element type of the operand and the inferred shape.

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
  let assemblyFormat = [{
    $input `permutation` `=` $permutation
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Mica_ReshapeOp : Mica_Op<"reshape", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "reshape to a type with the same number of elements";
  let description = [{
    The elements of the operand in row-major order, in the shape of the result type. One dimension of the result
    may be dynamic: its size is the number of elements divided by the product of the other sizes.

    Constraints:
    - (C1) operand and result have the same element type;
    - (C2) at most one dimension of the result is dynamic;
    - (C3) operand and result have the same number of elements; if the result has a dynamic dimension, the
      product of its other sizes is not 0 and divides the number of elements.

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
  let assemblyFormat = "$input attr-dict `:` custom<Types>(type($input), type($result))";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Mica_BroadcastOp : Mica_Op<"broadcast", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "broadcast to a larger shape";
  let description = [{
    The last dimensions of operand and result are aligned, as in NumPy. Dimensions that the operand lacks, or
    that are statically 1 in it, are broadcast; the others keep their size. `sizes` are the sizes of the dynamic
    dimensions of the result, in order.

    Constraints:
    - (C1) operand and result have the same element type;
    - (C2) the rank of the result is at least that of the operand;
    - (C3) each dimension of the operand has the size of the corresponding dimension of the result, or is
      statically 1;
    - (C4) the number of `sizes` equals the number of dynamic dimensions of the result.

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
  let assemblyFormat = [{
    $input (`sizes` `(` $sizes^ `)`)?
    attr-dict `:` custom<Types>(type($input), ref($sizes), type($sizes), type($result))
  }];
  let hasFolder = 1;
}

#endif // MICA_SHAPE_OPS
