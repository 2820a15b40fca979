//===- MicaCheckOps.td - ops of the mica_check dialect -------------*- tablegen -*-===//
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
  let summary = "checks whether an access is within its buffer";
  let description = [{
    True if `0 <= indices[d]` and `indices[d] + sizes[d] <= extent of d` in each dimension d, computed without
    overflow. `sizes` is the number of elements that the access covers from each index on; if it is not given,
    1. An access of no elements (a size is 0) is in bounds at any index. A negative size is not in bounds.

    Constraints:
    - (C1) there is one index per dimension of the buffer;
    - (C2) there is one size per dimension, or none at all.

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
  let summary = "checks whether an integer division is defined";
  let description = [{
    False if `rhs` is 0, or, with `signed`, if `lhs` is the smallest integer of its type and `rhs` is -1. For
    vectors, false if this is the case for any element.

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
  let summary = "checks whether a shift amount is within the bit width";
  let description = [{
    True if `amount` is at least 0 and less than the bit width of its type. For vectors, true if this is the
    case for all elements.

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

def MicaCheck_InitializedOp : MicaCheck_Op<"initialized", [Pure]> {
  let summary = "checks whether elements are initialized";
  let description = [{
    True if each of `origins`, which are elements of a shadow, is 0.

    Constraints:
    - (C1) `origins` is an i16 or a vector of i16.

    Example:

    ```mlir
    func.func @read(%a: memref<?xf32>, %i: index) -> i1 {
      %s = mica_check.shadow %a : memref<?xf32>
      %o = memref.load %s[%i] : memref<?xi16>
      %ok = mica_check.initialized %o : i16
      return %ok : i1
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[I16, VectorOfAnyRankOf<[I16]>], "an i16 or a vector of them">:$origins);
  let results = (outs I1:$ok);
  let assemblyFormat = "$origins attr-dict `:` type($origins)";
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------===//
// Shadows
//===------------------------------------------------------------------------------===//

def MicaCheck_ShadowOp : MicaCheck_Op<"shadow", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "shadow memory of a buffer";
  let description = [{
    Contains an i16 for each element of `buffer`: 0 if the element was written, otherwise the number of the
    allocation that provides its memory. The runtime provides the shadows of a kernel's arguments; the shadow of
    a buffer that is allocated in the kernel is in `memory`.

    Each store to a buffer also stores to its shadow, and an element that is moved takes its shadow along.
    `filled` states that every element of a buffer that is allocated in the kernel is written before any is
    read, so that an element is uninitialized only if an uninitialized element was moved there.

    Constraints:
    - (C1) `memory`, if given, has the shape of `buffer` and the element type i16, and so has the result;
    - (C2) without `memory`, `buffer` is an argument of the function.

    Example:

    ```mlir
    func.func @write(%a: memref<?xf32>, %v: f32, %i: index) {
      %s = mica_check.shadow %a : memref<?xf32>
      %written = arith.constant 0 : i16
      memref.store %written, %s[%i] : memref<?xi16>
      memref.store %v, %a[%i] : memref<?xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Optional<AnyMemRef>:$memory, UnitAttr:$filled);
  let results = (outs AnyMemRef:$shadow);
  let assemblyFormat = "(`filled` $filled^)? $buffer (`in` $memory^)? attr-dict `:` type($buffer) (`,` type($memory)^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the shadow of a buffer with type `type`.
    static ::mlir::MemRefType typeFor(::mlir::MemRefType type);
  }];
}

def MicaCheck_PartlyOp : MicaCheck_Op<"partly", [Pure]> {
  let summary = "tests whether some argument may contain uninitialized elements";
  let description = [{
    False if the runtime knows that every element of the arguments that are read is initialized, and that the
    kernel writes every element of the other arguments. Their shadows are then not needed.

    Example:

    ```mlir
    func.func @ask() -> i1 {
      %0 = mica_check.partly
      return %0 : i1
    }
    ```
  }];
  let results = (outs I1:$partly);
  let assemblyFormat = "attr-dict";
}

def MicaCheck_OriginOp : MicaCheck_Op<"origin", [Pure]> {
  let summary = "number of an allocation in this kernel";
  let description = [{
    The value of a shadow of a buffer that is allocated in the kernel before the buffer is written. The runtime
    numbers the allocations of all kernels; `local` counts those of this kernel from 0.

    Constraints:
    - (C1) `local` is not negative.

    Example:

    ```mlir
    func.func @scratch() -> i16 {
      %0 = mica_check.origin 0
      return %0 : i16
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$local);
  let results = (outs I16:$origin);
  let assemblyFormat = "$local attr-dict";
}

//===------------------------------------------------------------------------------===//
// Reports
//===------------------------------------------------------------------------------===//

def MicaCheck_UninitializedOp : MicaCheck_Op<"uninitialized", [MemoryEffects<[MemWrite]>]> {
  let summary = "reports a use of uninitialized elements";
  let description = [{
    Records in the log of this call, under `site`, that `count` uninitialized elements of `buffer` are used, the
    first one at `indices`, in memory of the allocation `origin`.

    Constraints:
    - (C1) there is one index per dimension of the buffer, or none at all;
    - (C2) `site`, if given, is not negative.

    Example:

    ```mlir
    func.func @report(%a: memref<?xf32>, %i: index, %n: i64, %o: i16) {
      mica_check.uninitialized %a[%i] count %n origin %o {site = 0 : i64} : memref<?xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Variadic<Index>:$indices, I64:$count, I16:$origin, OptionalAttr<I64Attr>:$site);
  let assemblyFormat = "$buffer `[` $indices `]` `count` $count `origin` $origin attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def MicaCheck_OutOfBoundsOp : MicaCheck_Op<"out_of_bounds", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "reports an access outside of its buffer";
  let description = [{
    Records in the log of this call, under `site`, that an access of kind `access` to `sizes` elements of
    `buffer` at `indices` was out of bounds and was not executed. The log stores the values of the first failure
    of a site, and counts all failures.

    Constraints:
    - (C1) there is one index per dimension of the buffer;
    - (C2) there is one size per dimension, or none at all;
    - (C3) `site`, if given, is not negative.

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
  let summary = "reports any other failed check";
  let description = [{
    Records in the log of this call, under `site`, that the check that `message` describes failed, with the
    integers `values`.

    Constraints:
    - (C1) `message` is not empty;
    - (C2) there are at most 8 `values`, other than those of an access;
    - (C3) `site`, if given, is not negative.

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

def MicaCheck_NotFiniteOp : MicaCheck_Op<"not_finite", [MemoryEffects<[MemWrite]>]> {
  let summary = "records that NaN or an infinity is stored";
  let description = [{
    Records in the log of this call, under `site`, that a thread stores NaN, or an infinity, to `buffer` at
    `indices`. This is not a failed check: -inf in a mask is legitimate, and the element may be overwritten
    later. The host, which inspects the buffers when the kernel is complete, decides whether to report it.

    Constraints:
    - (C1) there is one index per dimension of the buffer, or none at all if the position is not known;
    - (C2) `site`, if given, is not negative.

    Example:

    ```mlir
    func.func @report(%a: memref<4x?xf32>, %i: index, %j: index) {
      mica_check.not_finite nan %a[%i, %j] {site = 0 : i64} : memref<4x?xf32>
      mica_check.not_finite infinity %a[%i, %j] {site = 1 : i64} : memref<4x?xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Variadic<Index>:$indices, UnitAttr:$is_nan, OptionalAttr<I64Attr>:$site);
  let assemblyFormat = [{
    (`nan` $is_nan^) : (`infinity`)? $buffer `[` $indices `]` attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

#endif // MICACHECK_OPS
