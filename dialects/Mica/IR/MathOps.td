//===- MathOps.td - functions of one number ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Elementary functions, roundings and bounds, element by element.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_MATH_OPS
#define MICA_MATH_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_AbsOp : Mica_UnaryOp<"abs"> {
  let summary = "Absolute value, element by element";
  let description = [{
    `result = |input|`. On floats the sign bit is cleared (also of zero and NaN); the smallest integer stays itself.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @abs(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.abs %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_LogOp : Mica_UnaryOp<"log"> {
  let summary = "Natural logarithm, element by element";
  let description = [{
    `result = ln(input)`; of 0 it is -inf, of a negative number NaN.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @log(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.log %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_SqrtOp : Mica_UnaryOp<"sqrt"> {
  let summary = "Square root, element by element";
  let description = [{
    `result = sqrt(input)`, correctly rounded; of a negative number NaN, of -0 it is -0.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @sqrt(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.sqrt %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_RsqrtOp : Mica_UnaryOp<"rsqrt"> {
  let summary = "Inverse of the square root, element by element";
  let description = [{
    `result = 1 / sqrt(input)`; of 0 it is inf with the sign of the zero, of a negative number NaN.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @rsqrt(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.rsqrt %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_SinOp : Mica_UnaryOp<"sin"> {
  let summary = "Sine, element by element";
  let description = [{
    `result = sin(input)`, in radians; of an infinity NaN. Compiled for `f32` and narrower types it is exact to some units
    in the last place up to |input| = 2^30; beyond, only that it lies in [-1, 1] is promised.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @sin(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.sin %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_CosOp : Mica_UnaryOp<"cos"> {
  let summary = "Cosine, element by element";
  let description = [{
    `result = cos(input)`, in radians; of an infinity NaN. Compiled for `f32` and narrower types it is exact to some units
    in the last place up to |input| = 2^30; beyond, only that it lies in [-1, 1] is promised.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @cos(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.cos %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_FloorOp : Mica_UnaryOp<"floor"> {
  let summary = "Largest whole number that is not above, element by element";
  let description = [{
    `result` is the largest whole number not above `input`; infinities, NaN and -0 stay.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @floor(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.floor %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_CeilOp : Mica_UnaryOp<"ceil"> {
  let summary = "Smallest whole number that is not below, element by element";
  let description = [{
    `result` is the smallest whole number not below `input`; infinities, NaN and -0 stay. Between -1 and 0 it is -0.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @ceil(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.ceil %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_RoundOp : Mica_UnaryOp<"round"> {
  let summary = "Nearest whole number, ties to even, element by element";
  let description = [{
    `result` is the whole number nearest to `input`; of two equally near ones the even one: 0.5 becomes 0, 1.5 and 2.5 become
    2. Infinities and NaN stay, and a zero keeps its sign.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @round(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.round %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_PowOp : Mica_BinaryOp<"pow"> {
  let summary = "Power, element by element";
  let description = [{
    `result = lhs ^ rhs`, with the special cases of IEEE 754: `x ^ 0 = 1` for every x, NaN included; a negative base to an
    exponent that is no whole number is NaN. On integers the product wraps around, and a negative exponent gives the
    quotient `1 / lhs^-rhs` rounded toward zero, with 0 for a base of 0.

    Constraints:
    - (C1) both operands have one element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @pow(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.pow %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_RemOp : Mica_BinaryOp<"rem"> {
  let summary = "Remainder of a division, element by element";
  let description = [{
    `result = lhs - rhs * q` where q is `lhs / rhs` rounded toward zero: the result has the sign of `lhs`. On floats it is exact
    (C's `fmod`), and NaN where `rhs` is 0 or `lhs` infinite. On integers the remainder by 0 is `lhs`, by -1 it is 0.

    Constraints:
    - (C1) both operands have one element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @rem(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.rem %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_ClampOp : Mica_SameTypeOp<"clamp", [SameOperandsAndResultType]> {
  let summary = "Values brought into an interval, element by element";
  let description = [{
    `result = min(max(input, min), max)`, as `mica.max` and `mica.min` have it; NaN stays NaN.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) `min` and `max` have the operand's element type;
    - (C3) `min` is not above `max`, and neither is NaN;
    - (C4) the result has the operand's type.

    Example:

    ```mlir
    func.func @relu6(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %0 = mica.clamp %x min = 0.0 : f32 max = 6.0 : f32 : tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, TypedAttrInterface:$min, TypedAttrInterface:$max);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input `min` `=` $min `max` `=` $max attr-dict `:` type($input)";
}

#endif // MICA_MATH_OPS
