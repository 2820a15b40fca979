//===- LogicOps.td - comparisons, logic and bits ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Comparisons and the choice they serve; logic on i1, bits of integers.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_LOGIC_OPS
#define MICA_LOGIC_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_CompareOp : Mica_BinaryOp<"compare"> {
  let summary = "Comparison of two tensors, element by element";
  let description = [{
    `result` is whether `lhs` is equal to (`eq`), different from (`ne`), less than (`lt`), at most (`le`), greater than
    (`gt`), at least (`ge`) `rhs`. A comparison with NaN is false, but for `ne`, which is true; -0 and +0 are equal.
    Integers are compared as signed numbers; on `i1` false is less than true.

    Constraints:
    - (C1) both operands have one element type, a float type, an integer type or `i1`;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has elements of type `i1` and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @mask(%a: tensor<?x8xf32>, %limit: tensor<1x1xf32>) -> tensor<?x8xi1> {
      %0 = mica.compare lt %a, %limit : (tensor<?x8xf32>, tensor<1x1xf32>) -> tensor<?x8xi1>
      return %0 : tensor<?x8xi1>
    }
    ```
  }];
  let arguments = (ins Mica_ComparisonAttr:$kind, Mica_Tensor:$lhs, Mica_Tensor:$rhs);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def Mica_SelectOp : Mica_InferredOp<"select"> {
  let summary = "One of two values, chosen by a third, element by element";
  let description = [{
    `result = on_true` where `condition` is true, else `on_false`. The operand that is not chosen has no influence, NaN
    included. Exporters call this operation `where`; their other form of `where`, which lists the positions of the true
    elements, has no counterpart: how many there are is no function of the operand's type, and every size here is one.

    Constraints:
    - (C1) the elements of `condition` are of type `i1`;
    - (C2) `on_true` and `on_false` have one element type;
    - (C3) the three operands have the same rank;
    - (C4) in every dimension the operands' sizes are equal, or statically 1 (and are repeated);
    - (C5) the result has the element type of `on_true` and the shape that follows from (C4).

    Example:

    ```mlir
    func.func @masked(%c: tensor<1x8x8xi1>, %a: tensor<?x8x8xf32>, %b: tensor<1x1x1xf32>) -> tensor<?x8x8xf32> {
      %0 = mica.select %c, %a, %b : (tensor<1x8x8xi1>, tensor<?x8x8xf32>, tensor<1x1x1xf32>) -> tensor<?x8x8xf32>
      return %0 : tensor<?x8x8xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$condition, Mica_Tensor:$on_true, Mica_Tensor:$on_false);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mica_LogicalAndOp : Mica_BinaryOp<"logical_and", [Commutative]> {
  let summary = "Logical and of two tensors, element by element";
  let description = [{
    `result = lhs and rhs`.

    Constraints:
    - (C1) both operands have one element type, `i1`;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @logical_and(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_and %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_LogicalOrOp : Mica_BinaryOp<"logical_or", [Commutative]> {
  let summary = "Logical or of two tensors, element by element";
  let description = [{
    `result = lhs or rhs`.

    Constraints:
    - (C1) both operands have one element type, `i1`;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @logical_or(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_or %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_LogicalXorOp : Mica_BinaryOp<"logical_xor", [Commutative]> {
  let summary = "Logical exclusive or of two tensors, element by element";
  let description = [{
    `result = lhs xor rhs`.

    Constraints:
    - (C1) both operands have one element type, `i1`;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @logical_xor(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_xor %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
}

def Mica_LogicalNotOp : Mica_UnaryOp<"logical_not"> {
  let summary = "Logical negation, element by element";
  let description = [{
    `result` is true where `input` is false.

    Constraints:
    - (C1) the element type is `i1`;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @logical_not(%x: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_not %x : tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_BitwiseAndOp : Mica_BinaryOp<"bitwise_and", [Commutative]> {
  let summary = "Bitwise and of two tensors, element by element";
  let description = [{
    Each bit of `result` is `lhs and rhs` of the bits at its place.

    Constraints:
    - (C1) both operands have one element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @bitwise_and(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_BitwiseOrOp : Mica_BinaryOp<"bitwise_or", [Commutative]> {
  let summary = "Bitwise or of two tensors, element by element";
  let description = [{
    Each bit of `result` is `lhs or rhs` of the bits at its place.

    Constraints:
    - (C1) both operands have one element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @bitwise_or(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_or %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_BitwiseXorOp : Mica_BinaryOp<"bitwise_xor", [Commutative]> {
  let summary = "Bitwise exclusive or of two tensors, element by element";
  let description = [{
    Each bit of `result` is `lhs xor rhs` of the bits at its place.

    Constraints:
    - (C1) both operands have one element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @bitwise_xor(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_xor %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_BitwiseNotOp : Mica_UnaryOp<"bitwise_not"> {
  let summary = "All bits inverted, element by element";
  let description = [{
    Each bit of `result` is the inverse of the bit of `input` at its place: `-1 - input`.

    Constraints:
    - (C1) the element type is an integer type;
    - (C2) the result has the operand's type.

    Example:

    ```mlir
    func.func @bitwise_not(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_not %x : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_ShiftLeftOp : Mica_BinaryOp<"shift_left"> {
  let summary = "Bits moved to the left, element by element";
  let description = [{
    `result = lhs * 2^rhs`, wrapping around. The amount `rhs` is read as an unsigned number; from the width of the type on,
    the result is 0.

    Constraints:
    - (C1) both operands have one element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @shift_left(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.shift_left %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_ShiftRightArithmeticOp : Mica_BinaryOp<"shift_right_arithmetic"> {
  let summary = "Bits moved to the right with the sign, element by element";
  let description = [{
    `result = lhs / 2^rhs`, rounded down: copies of the sign bit come in. The amount `rhs` is read as an unsigned number; from
    the width of the type on, the result is 0, or -1 for a negative `lhs`.

    Constraints:
    - (C1) both operands have one element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @shift_right_arithmetic(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.shift_right_arithmetic %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_ShiftRightLogicalOp : Mica_BinaryOp<"shift_right_logical"> {
  let summary = "Bits moved to the right with zeros, element by element";
  let description = [{
    The bits of `lhs`, moved to the right by `rhs` places; zeros come in. The amount `rhs` is read as an unsigned number; from
    the width of the type on, the result is 0.

    Constraints:
    - (C1) both operands have one element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in every dimension the operands' sizes are equal, or one of them is statically 1 (and is repeated);
    - (C4) the result has the operands' element type and the shape that follows from (C3).

    Example:

    ```mlir
    func.func @shift_right_logical(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.shift_right_logical %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

#endif // MICA_LOGIC_OPS
