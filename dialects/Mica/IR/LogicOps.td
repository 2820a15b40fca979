//===- LogicOps.td - comparisons, selection, logical and bitwise ops ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Comparisons and selection, logical ops on i1, bitwise ops and shifts of integers.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_LOGIC_OPS
#define MICA_LOGIC_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_CompareOp : Mica_BinaryOp<"compare"> {
  let summary = "elementwise comparison";
  let description = [{
    `result` is whether `lhs` is equal to (`eq`), not equal to (`ne`), less than (`lt`), less than or equal to
    (`le`), greater than (`gt`), or greater than or equal to (`ge`) `rhs`. Comparisons with NaN are false,
    except for `ne`, which is true; -0 and +0 are equal. Integers are compared as signed; on `i1` false is less
    than true.

    Constraints:
    - (C1) both operands have the same element type, a float type, an integer type or `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type `i1` and the broadcast shape.

    Example:

    ```mlir
    func.func @mask(%a: tensor<?x8xf32>, %limit: tensor<1x1xf32>) -> tensor<?x8xi1> {
      %0 = mica.compare lt %a, %limit : (tensor<?x8xf32>, tensor<1x1xf32>) -> tensor<?x8xi1>
      return %0 : tensor<?x8xi1>
    }
    ```
  }];
  let arguments = (ins Mica_ComparisonAttr:$kind, Mica_Tensor:$lhs, Mica_Tensor:$rhs);
  let assemblyFormat = [{
    `` $kind $lhs `,` $rhs
    attr-dict `:` custom<Types>(type($lhs), type($rhs), type($result))
  }];
}

def Mica_SelectOp : Mica_InferredOp<"select"> {
  let summary = "elementwise selection between two tensors";
  let description = [{
    `result = on_true` where `condition` is true, else `on_false`. The element that is not selected has no
    effect on the result, even if it is NaN.

    Frameworks call this op `where`. Their other form of `where`, which lists the positions of the true
    elements, has no equivalent in this dialect: the size of its result depends on the data.

    Constraints:
    - (C1) the element type of `condition` is `i1`;
    - (C2) `on_true` and `on_false` have the same element type;
    - (C3) the three operands have the same rank;
    - (C4) in each dimension, the sizes of the operands are equal, or statically 1 and broadcast;
    - (C5) the result has the element type of `on_true` and the broadcast shape.

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
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false
    attr-dict `:` custom<Types>(type($condition), type($on_true), type($on_false), type($result))
  }];
  let hasFolder = 1;
}

def Mica_LogicalAndOp : Mica_BinaryOp<"logical_and", [Commutative]> {
  let summary = "elementwise logical and";
  let description = [{
    `result = lhs and rhs`.

    Constraints:
    - (C1) both operands have the same element type, `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @logical_and(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_and %a, %b : tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_LogicalOrOp : Mica_BinaryOp<"logical_or", [Commutative]> {
  let summary = "elementwise logical or";
  let description = [{
    `result = lhs or rhs`.

    Constraints:
    - (C1) both operands have the same element type, `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @logical_or(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_or %a, %b : tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_LogicalXorOp : Mica_BinaryOp<"logical_xor", [Commutative]> {
  let summary = "elementwise logical exclusive or";
  let description = [{
    `result = lhs xor rhs`.

    Constraints:
    - (C1) both operands have the same element type, `i1`;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @logical_xor(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
      %0 = mica.logical_xor %a, %b : tensor<4x8xi1>
      return %0 : tensor<4x8xi1>
    }
    ```
  }];
}

def Mica_LogicalNotOp : Mica_UnaryOp<"logical_not"> {
  let summary = "elementwise logical negation";
  let description = [{
    `result` is true where `input` is false.

    Constraints:
    - (C1) the element type is `i1`;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise bitwise and";
  let description = [{
    Each bit of `result` is the `and` of the corresponding bits of `lhs` and `rhs`.

    Constraints:
    - (C1) both operands have the same element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @bitwise_and(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_and %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_BitwiseOrOp : Mica_BinaryOp<"bitwise_or", [Commutative]> {
  let summary = "elementwise bitwise or";
  let description = [{
    Each bit of `result` is the `or` of the corresponding bits of `lhs` and `rhs`.

    Constraints:
    - (C1) both operands have the same element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @bitwise_or(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_or %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
  let hasFolder = 1;
}

def Mica_BitwiseXorOp : Mica_BinaryOp<"bitwise_xor", [Commutative]> {
  let summary = "elementwise bitwise exclusive or";
  let description = [{
    Each bit of `result` is the `xor` of the corresponding bits of `lhs` and `rhs`.

    Constraints:
    - (C1) both operands have the same element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @bitwise_xor(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.bitwise_xor %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_BitwiseNotOp : Mica_UnaryOp<"bitwise_not"> {
  let summary = "elementwise bitwise negation";
  let description = [{
    Each bit of `result` is the inverse of the corresponding bit of `input`: `result = -1 - input`.

    Constraints:
    - (C1) the element type is an integer type;
    - (C2) the result has the type of the operand.

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
  let summary = "elementwise left shift";
  let description = [{
    `result = lhs * 2^rhs`, wrapping around. The shift amount `rhs` is unsigned. If it is at least the bit
    width, the result is 0.

    Constraints:
    - (C1) both operands have the same element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @shift_left(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.shift_left %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_ShiftRightArithmeticOp : Mica_BinaryOp<"shift_right_arithmetic"> {
  let summary = "elementwise arithmetic right shift";
  let description = [{
    `result = lhs / 2^rhs`, rounded down: copies of the sign bit are shifted in. The shift amount `rhs` is
    unsigned. If it is at least the bit width, the result is 0, or -1 if `lhs` is negative.

    Constraints:
    - (C1) both operands have the same element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @shift_right_arithmetic(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.shift_right_arithmetic %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

def Mica_ShiftRightLogicalOp : Mica_BinaryOp<"shift_right_logical"> {
  let summary = "elementwise logical right shift";
  let description = [{
    Shifts the bits of `lhs` to the right by `rhs` positions and shifts in zeros. The shift amount `rhs` is
    unsigned. If it is at least the bit width, the result is 0.

    Constraints:
    - (C1) both operands have the same element type, an integer type;
    - (C2) both operands have the same rank;
    - (C3) in each dimension, the sizes of the operands are equal, or one of them is statically 1 and is
      broadcast;
    - (C4) the result has the element type of the operands and the broadcast shape.

    Example:

    ```mlir
    func.func @shift_right_logical(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
      %0 = mica.shift_right_logical %a, %b : tensor<4x8xi32>
      return %0 : tensor<4x8xi32>
    }
    ```
  }];
}

#endif // MICA_LOGIC_OPS
