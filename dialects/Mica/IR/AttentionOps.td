//===- AttentionOps.td - attention and position embedding ----------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Scaled dot-product attention and rotary position embedding. mica.cache_update writes caches of keys and values.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_ATTENTION_OPS
#define MICA_ATTENTION_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_AttentionOp : Mica_InferredOp<"attention", [AttrSizedOperandSegments]> {
  let summary = "scaled dot-product attention";
  let description = [{
    With query `[b, h, s, d]`, key `[b, g, t, d]` and value `[b, g, t, e]`:

    - `scores[b, h, s, t]` is `scale` times the sum over d of `query[b, h, s, d] * key[b, h / r, t, d]`, plus
      `mask[b, h, s, t]`
    - `weights` is `mica.softmax` of the scores along t
    - `result[b, h, s, e]` is the sum over t of `weights[b, h, s, t] * value[b, h / r, t, e]`

    Here r is the number of query heads divided by the number of key heads, so that each head of key and value
    serves a group of query heads. Sums are accumulated in the element type (in `f32` for narrower floats), in
    an unspecified order.

    If `scale` is not given, it is `1 / sqrt(size of d)`. With a mask of `i1`, keys whose mask element is 0 are
    excluded: their score is -inf. The dimensions of the mask are aligned with the last ones of `[b, h, s, t]`,
    and dimensions of static size 1 are broadcast. With `causal`, query s attends to key t only if
    `t <= s + position`. If `position` is not given, it is the size of t minus the size of s, so that the last
    query attends to all keys. A query for which all keys are excluded gives NaN.

    Constraints:
    - (C1) query, key and value have the same element type, a float type, and rank 4;
    - (C2) the sizes b, d, g and t are the same wherever they occur, and the batch size b is that of the query;
    - (C3) the numbers of heads h and g are static, g is not 0, and h is a multiple of g;
    - (C4) `scale` is given and finite, or d is static;
    - (C5) the mask has the element type of the query or `i1`, rank 4 or less, and sizes that equal those of
      `[b, h, s, t]` or are statically 1;
    - (C6) `position` is a tensor of rank 0 of `i32` or `i64`, and is given only with `causal`;
    - (C7) the result has the element type of the query and the shape `[b, h, s, e]`.

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
    $query `,` $key `,` $value
    `` custom<Clauses>("\"mask $?\"", $mask, "\"position $?\"", $position, "\"causal?\"", $causal, "\"scale=?\"", $scale)
    attr-dict `:` custom<Types>(type($query), type($key), type($value), ref($mask), type($mask), ref($position),
                                type($position), type($result))
  }];
}

def Mica_RopeOp : Mica_SameTypeOp<"rope"> {
  let summary = "rotary position embedding";
  let description = [{
    Rotates pairs of elements of the last dimension, of size d, by angles that depend on the position s in the
    second to last dimension. Pair i consists of elements i and i + d/2, or, with `interleaved`, of elements 2i
    and 2i + 1. A pair (a, b) becomes `a * cos[s, i] - b * sin[s, i]` and `b * cos[s, i] + a * sin[s, i]`. The
    tables contain cosines and sines of the angles, which follow from the base frequency of the model and the
    positions of the tokens.

    Constraints:
    - (C1) input and tables have the same element type, a float type;
    - (C2) the rank of the input is at least 2, and its last size is static and even;
    - (C3) both tables have the shape `[s, d / 2]`, where s and d are the last two sizes of the input;
    - (C4) the result has the type of the input.

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
    $input
    `` custom<Clauses>("\"cos $\"", $cos, "\"sin $\"", $sin, "\"interleaved?\"", $interleaved)
    attr-dict `:` custom<Types>(type($input), type($cos), type($sin), type($result))
  }];
}

#endif // MICA_ATTENTION_OPS
