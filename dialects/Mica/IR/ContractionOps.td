//===- ContractionOps.td - matrix multiplication -------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Matrix multiplication.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_CONTRACTION_OPS
#define MICA_CONTRACTION_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_MatmulOp : Mica_SumOp<"matmul"> {
  let summary = "batched matrix multiplication, with optionally transposed operands";
  let description = [{
    The last two dimensions of each operand are a matrix, the dimensions before them are batch dimensions:
    `result[b.., m, n] = sum over k of lhs[b.., m, k] * rhs[b.., k, n]`. With `transpose_a` the left operand is
    indexed as `lhs[b.., k, m]`, and with `transpose_b` the right operand as `rhs[b.., n, k]`. Products are
    accumulated in the element type of the result (in `f32` if that is a narrower float), in an unspecified
    order; integers wrap around. A wider result type, such as `i32` for operands of `i8` or `f32` for operands
    of `f16`, preserves digits that the type of the operands would lose.

    If one operand has rank 2, its matrix is used for all batches of the other operand. Otherwise the batch
    dimensions of the operands match pairwise, and dimensions of static size 1 are broadcast.

    Constraints:
    - (C1) both operands have the same element type, a float or integer type;
    - (C2) both ranks are at least 2, and they are equal or one of them is 2;
    - (C3) the sizes of the contracted dimensions (`k`) are equal;
    - (C4) in each batch dimension that both operands have, the sizes are equal or one of them is statically 1;
    - (C5) the result has the batch dimensions, `m` and `n` as its shape, and the element type of the operands
      or a wider one of the same kind.

    Example:

    ```mlir
    func.func @scores(%q: tensor<?x12x64x32xf32>, %k: tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32> {
      %0 = mica.matmul %q, %k transpose_b
         : (tensor<?x12x64x32xf32>, tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32>
      return %0 : tensor<?x12x64x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$lhs, Mica_Tensor:$rhs, UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs
    `` custom<Clauses>("\"transpose_a?\"", $transpose_a, "\"transpose_b?\"", $transpose_b)
    attr-dict `:` custom<Types>(type($lhs), type($rhs), type($result))
  }];
  let hasCanonicalizer = 1;
  let moreClassDeclaration = [{
    /// Dimensions of the left operand that m and the contracted k index, and of the right operand that k and n index.
    int64_t getLhsRowDim() { return getLhs().getType().getRank() - (getTransposeA() ? 1 : 2); }
    int64_t getLhsContractedDim() { return getLhs().getType().getRank() - (getTransposeA() ? 2 : 1); }
    int64_t getRhsContractedDim() { return getRhs().getType().getRank() - (getTransposeB() ? 1 : 2); }
    int64_t getRhsColumnDim() { return getRhs().getType().getRank() - (getTransposeB() ? 2 : 1); }
  }];
}

#endif // MICA_CONTRACTION_OPS
