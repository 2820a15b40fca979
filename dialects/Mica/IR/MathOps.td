//===- MathOps.td - elementwise math -------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Elementary functions, rounding and clamping.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_MATH_OPS
#define MICA_MATH_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_AbsOp : Mica_UnaryOp<"abs"> {
  let summary = "elementwise absolute value";
  let description = [{
    `result = |input|`. On floats the sign bit is cleared, also of zero and NaN; the smallest integer stays
    unchanged.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise natural logarithm";
  let description = [{
    `result = ln(input)`. The logarithm of 0 is -inf, that of a negative number is NaN.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise square root";
  let description = [{
    `result = sqrt(input)`, correctly rounded. The square root of -0 is -0, that of a negative number is NaN.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise reciprocal square root";
  let description = [{
    `result = 1 / sqrt(input)`. For a zero, the result is an infinity with the sign of the zero; for a negative
    number, it is NaN.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise sine";
  let description = [{
    `result = sin(input)`, with `input` in radians. For an infinity, the result is NaN. Compiled code for `f32`
    and narrower types is accurate to a few units in the last place for every finite input.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise cosine";
  let description = [{
    `result = cos(input)`, with `input` in radians. For an infinity, the result is NaN. Compiled code for `f32`
    and narrower types is accurate to a few units in the last place for every finite input.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise floor";
  let description = [{
    `result` is the largest integer that is not greater than `input`. Infinities, NaN and -0 stay unchanged.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise ceiling";
  let description = [{
    `result` is the smallest integer that is not less than `input`. Infinities, NaN and -0 stay unchanged;
    values between -1 and 0 give -0.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise rounding to nearest, ties to even";
  let description = [{
    `result` is the integer nearest to `input`. Ties are rounded to even: 0.5 becomes 0, 1.5 and 2.5 become 2.
    Infinities and NaN stay unchanged, and zeros keep their sign.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise power";
  let description = [{
    `result = lhs ^ rhs`. On floats with the special cases of IEEE 754: `x ^ 0 = 1` for every x, including NaN,
    and a negative base with a non-integer exponent gives NaN. On integers the power wraps around. A negative
    exponent gives the quotient `1 / lhs^-rhs` rounded toward zero, and 0 for a base of 0.

    Constraints:
    - (C1) both operands have the same element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @pow(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.pow %a, %b : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_RemOp : Mica_BinaryOp<"rem"> {
  let summary = "elementwise remainder of a division";
  let description = [{
    `result = lhs - rhs * q`, where q is `lhs / rhs` rounded toward zero: the result has the sign of `lhs`. On
    floats the result is exact (`fmod` of C), and NaN if `rhs` is 0 or `lhs` is infinite. On integers the
    remainder of a division by 0 is `lhs`, and by -1 it is 0.

    Constraints:
    - (C1) both operands have the same element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @rem(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.rem %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_ClampOp : Mica_SameTypeOp<"clamp", [SameOperandsAndResultType]> {
  let summary = "elementwise clamp to an interval";
  let description = [{
    `result = min(max(input, min), max)`, with `mica.max` and `mica.min`; NaN stays NaN.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) `min` and `max` have the element type of the operand;
    - (C3) `min` is not greater than `max`, and neither is NaN;
    - (C4) the result has the type of the operand.

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
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"min=\"", $min, "\"max=\"", $max)
    attr-dict `:` type($input)
  }];
}

#endif // MICA_MATH_OPS
