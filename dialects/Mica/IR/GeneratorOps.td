//===- GeneratorOps.td - tensors made of positions ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Tensors whose elements follow from where they are.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_GENERATOR_OPS
#define MICA_GENERATOR_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_IotaOp : Mica_Op<"iota", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "Numbers 0, 1, 2, .. along one dimension";
  let description = [{
    Each element of `result` is its position along `axis`, as the result's element type has it: rounded to nearest in float
    types, wrapping around in integer types. `sizes` gives the size of each dynamic dimension of the result, in order.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) `axis` is at least 0 and smaller than the result's rank;
    - (C3) there are as many `sizes` as the result has dynamic dimensions.

    Example:

    ```mlir
    func.func @positions(%n: index) -> tensor<?x8xi32> {
      %0 = mica.iota axis = 0 sizes(%n) : tensor<?x8xi32>
      return %0 : tensor<?x8xi32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$axis, Variadic<Index>:$sizes);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "`axis` `=` $axis (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($result)";
}

def Mica_OneHotOp : Mica_Op<"one_hot", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "Indices as rows of zeros with a one";
  let description = [{
    The result has the dimensions of `indices` and one more, at position `axis`: along it the element at the place that the
    index names is 1, the others are 0. An index that names no place gives zeros alone. On `i1` they are true and false.

    Constraints:
    - (C1) the elements of `indices` are of an integer type;
    - (C2) `axis` is at least 0 and smaller than the result's rank;
    - (C3) the result's size along `axis` is static, and its other sizes are those of `indices`, in order.

    Example:

    ```mlir
    func.func @one_hot(%i: tensor<?xi32>) -> tensor<?x10xf32> {
      %0 = mica.one_hot %i axis = 1 : tensor<?xi32> to tensor<?x10xf32>
      return %0 : tensor<?x10xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$indices, I64Attr:$axis);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$indices `axis` `=` $axis attr-dict `:` type($indices) `to` type($result)";
}

#endif // MICA_GENERATOR_OPS
