//===- AttentionOps.td - attention and what belongs to it ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Scaled dot product attention and rotary embeddings. The cache of keys and values is written by mica.cache_update.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_ATTENTION_OPS
#define MICA_ATTENTION_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_AttentionOp : Mica_InferredOp<"attention", [AttrSizedOperandSegments]> {
  let summary = "Scaled dot product attention";
  let description = [{
    With query `[b, h, s, d]`, key `[b, g, t, d]` and value `[b, g, t, e]`: `scores[b, h, s, t]` is `scale` times the sum
    over d of `query[b, h, s, d] * key[b, h / (h's size / g's size), t, d]`, plus `mask[b, h, s, t]`; `weights` is
    `mica.softmax` of the scores along t; and `result[b, h, s, e]` is the sum over t of
    `weights[b, h, s, t] * value[b, h / .., t, e]`. So each head of key and value serves a group of heads of the query. Sums
    are taken in the element type, in an order the operation leaves open.

    Without `scale` it is `1 / sqrt(d's size)`. A mask of `i1` lets a key take part where it is 1; where it is 0 the score
    is -inf. The mask's dimensions are aligned with the last ones of `[b, h, s, t]`, and one that is statically 1 is
    repeated. With `causal`, key t takes part for query s only where `t <= s + position`; without `position` it is t's size
    less s's, so that the last query sees all keys. A query for which no key takes part gives NaN.

    Constraints:
    - (C1) query, key and value have one element type, a float, and rank 4;
    - (C2) the sizes b, d, g and t are the same wherever they occur, and b's is that of the query;
    - (C3) the numbers of heads h and g are static, g is not 0, and h is a multiple of g;
    - (C4) `scale` is given and finite, or d is static;
    - (C5) the mask has the element type of the query or `i1`, at most rank 4, and sizes that are those of
      `[b, h, s, t]` or statically 1;
    - (C6) `position` is a tensor of rank 0 of `i32` or `i64`, and is given with `causal` only;
    - (C7) the result has the query's element type and the shape `[b, h, s, e]`.

    Example:

    ```mlir
    func.func @decode(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x512x64xf32>, %v: tensor<1x2x512x64xf32>,
                      %p: tensor<i64>) -> tensor<1x8x1x64xf32> {
      %0 = mica.attention %q, %k, %v position %p causal
         : (tensor<1x8x1x64xf32>, tensor<1x2x512x64xf32>, tensor<1x2x512x64xf32>, tensor<i64>) -> tensor<1x8x1x64xf32>
      return %0 : tensor<1x8x1x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$query, Mica_Tensor:$key, Mica_Tensor:$value, Optional<Mica_Tensor>:$mask,
                       Optional<Mica_Tensor>:$position, UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`position` $position^)? (`causal` $causal^)? (`scale` `=` $scale^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_RopeOp : Mica_SameTypeOp<"rope"> {
  let summary = "Rotary position embedding";
  let description = [{
    Rotates pairs of elements of the last dimension, of size d, by angles that depend on the position in the dimension
    before it. Pair i is elements i and i + d/2, with `interleaved` elements 2i and 2i + 1; with a and b the two,
    `a * cos[s, i] - b * sin[s, i]` and `b * cos[s, i] + a * sin[s, i]` take their places. The tables hold what the model's
    base frequency and the tokens' positions give.

    Constraints:
    - (C1) input and tables have one element type, a float;
    - (C2) the input's rank is at least 2 and its last size static and even;
    - (C3) both tables have the shape `[s, d / 2]`, with s and d the last two sizes of the input;
    - (C4) the result has the input's type.

    Example:

    ```mlir
    func.func @rope(%x: tensor<1x8x?x64xf32>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> tensor<1x8x?x64xf32> {
      %0 = mica.rope %x cos %c sin %s interleaved
         : (tensor<1x8x?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<1x8x?x64xf32>
      return %0 : tensor<1x8x?x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$cos, Mica_Tensor:$sin, UnitAttr:$interleaved);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input `cos` $cos `sin` $sin (`interleaved` $interleaved^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MICA_ATTENTION_OPS
