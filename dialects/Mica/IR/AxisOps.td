//===- AxisOps.td - operations along one dimension -----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Index of the minimum and maximum along a dimension, and cumulative sums.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_AXIS_OPS
#define MICA_AXIS_OPS

include "dialects/Mica/IR/MicaEnums.td"

class Mica_ArgOp<string mnemonic>
    : Mica_Op<mnemonic, [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let arguments = (ins Mica_Tensor:$input, I64Attr:$axis, UnitAttr:$keep_dims);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"axis=\"", $axis, "\"keep_dims?\"", $keep_dims)
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
}

def Mica_ArgMaxOp : Mica_ArgOp<"argmax"> {
  let summary = "index of the maximum along a dimension";
  let description = [{
    The index of the largest element along the dimension `axis`; of several equal elements the first one. NaN
    compares greater than every number, so that the first NaN is selected; -0 and +0 are equal. The reduced
    dimension is removed, or kept with size 1 if `keep_dims` is given.

    Constraints:
    - (C1) the element type is a float or integer type, not `i1`;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) the dimension `axis` has at least one element;
    - (C4) the result's element type is `i32` or `i64`;
    - (C5) the result has the inferred shape.

    Example:

    ```mlir
    func.func @argmax(%x: tensor<?x1000xf32>) -> tensor<?xi64> {
      %0 = mica.argmax %x axis = 1 : (tensor<?x1000xf32>) -> tensor<?xi64>
      return %0 : tensor<?xi64>
    }
    ```
  }];
}

def Mica_ArgMinOp : Mica_ArgOp<"argmin"> {
  let summary = "index of the minimum along a dimension";
  let description = [{
    The index of the smallest element along the dimension `axis`; of several equal elements the first one. NaN
    compares less than every number, so that the first NaN is selected; -0 and +0 are equal. The reduced
    dimension is removed, or kept with size 1 if `keep_dims` is given.

    Constraints:
    - (C1) the element type is a float or integer type, not `i1`;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) the dimension `axis` has at least one element;
    - (C4) the result's element type is `i32` or `i64`;
    - (C5) the result has the inferred shape.

    Example:

    ```mlir
    func.func @argmin(%x: tensor<?x10xi32>) -> tensor<?x1xi32> {
      %0 = mica.argmin %x axis = 1 keep_dims : (tensor<?x10xi32>) -> tensor<?x1xi32>
      return %0 : tensor<?x1xi32>
    }
    ```
  }];
}

def Mica_CumSumOp : Mica_SameTypeOp<"cumsum", [SameOperandsAndResultType]> {
  let summary = "cumulative sum along a dimension";
  let description = [{
    Each element of the result is the sum of the elements of the operand along the dimension `axis` up to and
    including the same position. With `exclusive` that position is not included, so that the first element is 0.
    With `reverse` the sum starts at the other end. Integers wrap around; floats narrower than f32 are
    accumulated in f32.

    Constraints:
    - (C1) the element type is a float or integer type, not `i1`;
    - (C2) `axis` is at least 0 and less than the rank of the operand;
    - (C3) the result has the type of the operand.

    Example:

    ```mlir
    func.func @positions(%mask: tensor<?x128xi64>) -> tensor<?x128xi64> {
      %0 = mica.cumsum %mask axis = 1 exclusive : tensor<?x128xi64>
      return %0 : tensor<?x128xi64>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, I64Attr:$axis, UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"axis=\"", $axis, "\"exclusive?\"", $exclusive, "\"reverse?\"", $reverse)
    attr-dict `:` type($input)
  }];
}

#endif // MICA_AXIS_OPS
