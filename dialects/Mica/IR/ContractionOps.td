//===- ContractionOps.td - matrix products ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Matrix products.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_CONTRACTION_OPS
#define MICA_CONTRACTION_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_MatmulOp : Mica_SumOp<"matmul"> {
  let summary = "Matrix product, with batches and transposed operands";
  let description = [{
    The last two dimensions of each operand are a matrix, the dimensions before them the batch:
    `result[b.., m, n] = sum over k of lhs[b.., m, k] * rhs[b.., k, n]`. With `transpose_a` the left operand is read as
    `lhs[b.., k, m]`, with `transpose_b` the right one as `rhs[b.., n, k]`. Products and sums are taken in the element type of
    the result (in `f32` where that is a narrower float), in an order the operation leaves open; integers wrap around. A
    result of `i32` from operands of `i8`, or of `f32` from `f16`, keeps what the operands' type would lose.

    Batch dimensions are those of the operand that has them where the other has rank 2 (one matrix for all batches);
    otherwise they match in pairs, and one that is statically 1 is repeated.

    Constraints:
    - (C1) both operands have one element type, a float or integer type;
    - (C2) both ranks are at least 2, and they are equal or one of them is 2;
    - (C3) the contracted sizes (`k`) are equal;
    - (C4) in every batch dimension that both have, the sizes are equal or one of them is statically 1;
    - (C5) the result has the shape batch, `m`, `n`, and the operands' element type or a wider one of its kind.

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
    $lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
  let moreClassDeclaration = [{
    /// Position of m, and of the contracted k, in the left operand; of k and n in the right one.
    int64_t getLhsRowDim() { return getLhs().getType().getRank() - (getTransposeA() ? 1 : 2); }
    int64_t getLhsContractedDim() { return getLhs().getType().getRank() - (getTransposeA() ? 2 : 1); }
    int64_t getRhsContractedDim() { return getRhs().getType().getRank() - (getTransposeB() ? 1 : 2); }
    int64_t getRhsColumnDim() { return getRhs().getType().getRank() - (getTransposeB() ? 2 : 1); }
  }];
}

#endif // MICA_CONTRACTION_OPS
