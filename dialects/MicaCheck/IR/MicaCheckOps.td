//===- MicaCheckOps.td - the operations of the dialect `mica_check` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICACHECK_OPS
#define MICACHECK_OPS

include "dialects/MicaCheck/IR/MicaCheckDialect.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MicaCheck_Integer : AnyTypeOf<[AnySignlessInteger, Index], "an integer or index">;
def MicaCheck_Integers : AnyTypeOf<[MicaCheck_Integer, VectorOfAnyRankOf<[MicaCheck_Integer]>],
                                   "an integer, an index or a vector of them">;

//===------------------------------------------------------------------------------===//
// Predicates
//===------------------------------------------------------------------------------===//

def MicaCheck_InBoundsOp : MicaCheck_Op<"in_bounds", [Pure, AttrSizedOperandSegments]> {
  let summary = "whether an access lies inside its buffer";
  let description = [{
    True if in each dimension d `0 <= indices[d]` and `indices[d] + sizes[d] <= extent of d`, computed without overflow.
    `sizes` is how many elements the access takes from each index on; without it, one. An access that takes none (a size is
    0) is in bounds wherever it is; a size below 0 is not.

    Constraints:
    - (C1) there is an index for each dimension of the buffer;
    - (C2) there is a size for each dimension, or none at all.

    Example:

    ```mlir
    func.func @row(%a: memref<4x?xf32>, %i: index, %j: index) -> i1 {
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %ok = mica_check.in_bounds %a[%i, %j] sizes(%c1, %c16) : memref<4x?xf32>
      return %ok : i1
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Variadic<Index>:$indices, Variadic<Index>:$sizes);
  let results = (outs I1:$ok);
  let assemblyFormat = "$buffer `[` $indices `]` (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MicaCheck_DivisibleOp : MicaCheck_Op<"divisible", [Pure, SameTypeOperands]> {
  let summary = "whether an integer can be divided by another";
  let description = [{
    False if `rhs` is 0, or, with `signed`, if `lhs` is the least number of its type and `rhs` is -1; of vectors, if that is
    so for one of their elements.

    Constraints:
    - (C1) both operands have the same type.

    Example:

    ```mlir
    func.func @divide(%a: i32, %b: i32) -> i1 {
      %ok = mica_check.divisible signed %a, %b : i32
      return %ok : i1
    }
    ```
  }];
  let arguments = (ins MicaCheck_Integers:$lhs, MicaCheck_Integers:$rhs, UnitAttr:$is_signed);
  let results = (outs I1:$ok);
  let assemblyFormat = "(`signed` $is_signed^)? $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

def MicaCheck_ShiftableOp : MicaCheck_Op<"shiftable", [Pure]> {
  let summary = "whether an integer can be shifted by a number of bits";
  let description = [{
    True if `amount` is at least 0 and below the width of its type; of vectors, if that is so for all of their elements.

    Constraints:
    - (C1) `amount` is an integer or a vector of integers.

    Example:

    ```mlir
    func.func @shift(%n: vector<4xi32>) -> i1 {
      %ok = mica_check.shiftable %n : vector<4xi32>
      return %ok : i1
    }
    ```
  }];
  let arguments = (ins MicaCheck_Integers:$amount);
  let results = (outs I1:$ok);
  let assemblyFormat = "$amount attr-dict `:` type($amount)";
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------===//
// Reports
//===------------------------------------------------------------------------------===//

def MicaCheck_OutOfBoundsOp : MicaCheck_Op<"out_of_bounds", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "reports an access outside its buffer";
  let description = [{
    Notes in the log of this call, under `site`, that the access of kind `access` at `indices` of `buffer`, of `sizes`
    elements, was outside and did not take place. The first of a site keeps its numbers, all are counted.

    Constraints:
    - (C1) there is an index for each dimension of the buffer;
    - (C2) there is a size for each dimension, or none at all;
    - (C3) `site`, where given, is not negative.

    Example:

    ```mlir
    func.func @report(%a: memref<4x?xf32>, %i: index, %j: index) {
      mica_check.out_of_bounds store %a[%i, %j] {site = 3 : i64} : memref<4x?xf32>
      return
    }
    ```
  }];
  let arguments = (ins MicaCheck_Access:$access, AnyMemRef:$buffer, Variadic<Index>:$indices,
                       Variadic<Index>:$sizes, OptionalAttr<I64Attr>:$site);
  let assemblyFormat = [{
    $access $buffer `[` $indices `]` (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

def MicaCheck_FailedOp : MicaCheck_Op<"failed", [MemoryEffects<[MemWrite]>]> {
  let summary = "reports that something else did not hold";
  let description = [{
    Notes in the log of this call, under `site`, that what `message` says was the case, with the numbers `values`.

    Constraints:
    - (C1) `message` is not empty;
    - (C2) there are at most 8 `values`;
    - (C3) `site`, where given, is not negative.

    Example:

    ```mlir
    func.func @report(%a: i32, %b: i32) {
      mica_check.failed "division by zero" (%a, %b : i32, i32) {site = 0 : i64}
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$message, Variadic<MicaCheck_Integer>:$values, OptionalAttr<I64Attr>:$site);
  let assemblyFormat = "$message (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}

#endif // MICACHECK_OPS
