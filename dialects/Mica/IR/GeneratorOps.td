//===- GeneratorOps.td - tensors generated from indices ------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Ops whose result elements depend on their indices.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_GENERATOR_OPS
#define MICA_GENERATOR_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_IotaOp : Mica_Op<"iota", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "indices 0, 1, 2, .. along one dimension";
  let description = [{
    Each element of `result` is its index along `axis`, converted to the element type of the result: rounded to
    nearest in float types, wrapping around in integer types. `sizes` are the sizes of the dynamic dimensions of
    the result, in order.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) `axis` is at least 0 and less than the rank of the result;
    - (C3) the number of `sizes` equals the number of dynamic dimensions of the result.

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
  let assemblyFormat = [{
    `` custom<Clauses>("\"axis=\"", $axis, "\"sizes()?\"", $sizes)
    attr-dict `:` type($result)
  }];
}

def Mica_OneHotOp : Mica_Op<"one_hot", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "one-hot encoding of indices";
  let description = [{
    The result has the dimensions of `indices` and an additional one at position `axis`. Along it, the element
    at the index is 1 and the others are 0. If the index is out of range, all elements are 0. In a result of
    `i1`, these are true and false.

    Constraints:
    - (C1) the element type of `indices` is an integer type;
    - (C2) `axis` is at least 0 and less than the rank of the result;
    - (C3) the size of the result along `axis` is static, and its other sizes are those of `indices`, in order.

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
