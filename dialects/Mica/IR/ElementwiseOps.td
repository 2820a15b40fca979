//===- ElementwiseOps.td - elementwise operations ------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Ops that compute each result element from the corresponding elements of one or two operands.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_ELEMENTWISE_OPS
#define MICA_ELEMENTWISE_OPS

include "dialects/Mica/IR/MicaEnums.td"

//===------------------------------------------------------------------------------===//
// Binary ops
//===------------------------------------------------------------------------------===//

class Mica_BinaryOp<string mnemonic, list<Trait> traits = []> : Mica_InferredOp<mnemonic, traits> {
  let arguments = (ins Mica_Tensor:$lhs, Mica_Tensor:$rhs);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<Types>(type($lhs), type($rhs), type($result))";
}

def Mica_AddOp : Mica_BinaryOp<"add", [Commutative]> {
  let summary = "elementwise addition";
  let description = [{
    `result = lhs + rhs`. Integers wrap around.

    Constraints:
    - (C1) both operands have the same element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @add_row(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_SubOp : Mica_BinaryOp<"sub"> {
  let summary = "elementwise subtraction";
  let description = [{
    `result = lhs - rhs`. Integers wrap around.

    Constraints:
    - (C1) both operands have the same element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @sub_integers(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.sub %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_MulOp : Mica_BinaryOp<"mul", [Commutative]> {
  let summary = "elementwise multiplication";
  let description = [{
    `result = lhs * rhs`. Integers wrap around; on `i1` this is the logical and.

    Constraints:
    - (C1) both operands have the same element type, a float type, an integer type or `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @mul_column(%a: tensor<4x1xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
      %0 = mica.mul %a, %b : (tensor<4x1xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
      return %0 : tensor<4x8xf64>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_DivOp : Mica_BinaryOp<"div"> {
  let summary = "elementwise division";
  let description = [{
    `result = lhs / rhs`. On floats this is IEEE 754 division. On integers the quotient is rounded toward zero,
    division by zero gives 0, and the smallest integer divided by -1 wraps around to itself: division never
    traps.

    Constraints:
    - (C1) both operands have the same element type, a float or integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @div_outer(%a: tensor<4x1xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.div %a, %b : (tensor<4x1xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_MaxOp : Mica_BinaryOp<"max", [Commutative]> {
  let summary = "elementwise maximum";
  let description = [{
    `result = lhs` if `lhs > rhs`, else `rhs`. If either operand is NaN, the result is NaN; +0 is larger than
    -0. On `i1` this is the logical or.

    Constraints:
    - (C1) both operands have the same element type, a float type, an integer type or `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @max_dynamic(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %0 = mica.max %a, %b : tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_MinOp : Mica_BinaryOp<"min", [Commutative]> {
  let summary = "elementwise minimum";
  let description = [{
    `result = lhs` if `lhs < rhs`, else `rhs`. If either operand is NaN, the result is NaN; -0 is smaller than
    +0. On `i1` this is the logical and.

    Constraints:
    - (C1) both operands have the same element type, a float type, an integer type or `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @min_flags(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
      %0 = mica.min %a, %b : tensor<4xi1>
      return %0 : tensor<4xi1>
    }
    ```
  }];
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------===//
// Unary ops
//===------------------------------------------------------------------------------===//

class Mica_UnaryOp<string mnemonic, list<Trait> traits = []>
    : Mica_SameTypeOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let arguments = (ins Mica_Tensor:$input);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Mica_NegOp : Mica_UnaryOp<"neg"> {
  let summary = "elementwise negation";
  let description = [{
    `result = -input`. On floats the sign bit is flipped, also of zero and NaN; the smallest integer is its own
    negation.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @neg(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.neg %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_ExpOp : Mica_UnaryOp<"exp"> {
  let summary = "elementwise exponential";
  let description = [{
    `result = e^input`. Overflow gives +inf and underflow gives 0.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @exp(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.exp %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_TanhOp : Mica_UnaryOp<"tanh"> {
  let summary = "elementwise hyperbolic tangent";
  let description = [{
    `result = tanh(input)`.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @tanh(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %0 = mica.tanh %x : tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
}

def Mica_ErfOp : Mica_UnaryOp<"erf"> {
  let summary = "elementwise error function";
  let description = [{
    `result = 2/sqrt(pi)` times the integral of `e^(-t*t)` for t from 0 to `input`.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @erf(%x: tensor<4x8xf64>) -> tensor<4x8xf64> {
      %0 = mica.erf %x : tensor<4x8xf64>
      return %0 : tensor<4x8xf64>
    }
    ```
  }];
}

def Mica_SigmoidOp : Mica_UnaryOp<"sigmoid"> {
  let summary = "elementwise logistic sigmoid";
  let description = [{
    `result = 1 / (1 + e^(-input))`.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @sigmoid(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.sigmoid %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

def Mica_ReluOp : Mica_UnaryOp<"relu"> {
  let summary = "elementwise rectified linear unit";
  let description = [{
    `result = input` if `input > 0` or `input` is NaN, else +0.

    Constraints:
    - (C1) the element type is a float or integer type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @relu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.relu %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_GeluOp : Mica_UnaryOp<"gelu"> {
  let summary = "elementwise Gaussian error linear unit";
  let description = [{
    `approximate = none`: `result = input / 2 * (1 + erf(input / sqrt(2)))`.

    `approximate = tanh`: `result = input / 2 * (1 + tanh(sqrt(2/pi) * (input + 0.044715 * input^3)))`.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.gelu %x approximate = tanh : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input,
                       DefaultValuedAttr<Mica_GeluApproximationAttr,
                                         "::mica::GeluApproximation::None">:$approximate);
  let assemblyFormat = "$input (`approximate` `=` `` $approximate^)? attr-dict `:` type($input)";
}

def Mica_SiluOp : Mica_UnaryOp<"silu"> {
  let summary = "elementwise sigmoid linear unit";
  let description = [{
    `result = input / (1 + e^(-input))`.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the result has the type of the operand.

    Example:

    ```mlir
    func.func @silu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mica.silu %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
}

#endif // MICA_ELEMENTWISE_OPS
