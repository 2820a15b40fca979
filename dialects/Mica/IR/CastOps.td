//===- CastOps.td - conversions of element types -------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Conversions between all element types, and quantization.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_CAST_OPS
#define MICA_CAST_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_CastOp : Mica_Op<"cast", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "elementwise conversion to another element type";
  let description = [{
    Converts each element of `input` to the element type of the result:

    - To a float type: round to nearest, ties to even. Values that are too large become an infinity, or NaN in
      `f8E4M3FN`, which has no infinities. NaN stays NaN.
    - From a float type to an integer type: round to an integer as `rounding` specifies, `toward_zero` (the
      default) or `nearest_even`. Values out of range are clamped to the range with `overflow = saturate` (the
      default); with `overflow = wrap` they are clamped to the range of `i64` and truncated to the low bits. NaN
      becomes 0.
    - From an integer type to a narrower one: clamp to the range with `overflow = saturate`, truncate to the low
      bits with `overflow = wrap`.
    - To `i1`: 1 if `input` is not 0, which includes NaN. From `i1`: 0 or 1.

    Constraints:
    - (C1) operand and result have the same rank and sizes;
    - (C2) `rounding` other than `toward_zero` is given only for a conversion from a float type to an integer
      type.

    Example:

    ```mlir
    func.func @cast(%x: tensor<?x8xf32>) -> tensor<?x8xi8> {
      %0 = mica.cast %x rounding = nearest_even : tensor<?x8xf32> to tensor<?x8xi8>
      return %0 : tensor<?x8xi8>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input,
                       DefaultValuedAttr<Mica_OverflowAttr, "::mica::Overflow::Saturate">:$overflow,
                       DefaultValuedAttr<Mica_RoundingAttr, "::mica::Rounding::TowardZero">:$rounding);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"overflow=?\"", $overflow, "\"rounding=?\"", $rounding)
    attr-dict `:` type($input) `to` type($result)
  }];
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(::mlir::OpBuilder &builder,
                                                       ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mica::reifyAsFirstOperand(builder, *this, shapes);
    }
  }];
}

class Mica_QuantizationOp<string mnemonic>
    : Mica_Op<mnemonic, [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$scale, Optional<Mica_Tensor>:$zero_point,
                       OptionalAttr<I64Attr>:$axis, UnitAttr:$unsigned_storage);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"scale $:\"", $scale, type($scale), "\"zero_point $:?\"", $zero_point, type($zero_point),
                       "\"axis=?\"", $axis, "\"unsigned?\"", $unsigned_storage)
    attr-dict `:` type($input) `to` type($result)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(::mlir::OpBuilder &builder,
                                                       ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mica::reifyAsFirstOperand(builder, *this, shapes);
    }
  }];
}

def Mica_QuantizeOp : Mica_QuantizationOp<"quantize"> {
  let summary = "quantization of floats to integers";
  let description = [{
    `result = round(input / scale) + zero_point`, clamped to the range of the result type. `scale` and
    `zero_point` hold a single value for the whole tensor (rank 0), or one value per position along `axis` (rank
    1). If `zero_point` is not given, it is 0.

    The quotient is rounded to the element type of the input (to `f32` for narrower ones), and then to an
    integer, ties to even. NaN becomes the zero point. With `unsigned`, the result and `zero_point` are
    unsigned: an `i8` holds 0 to 255.

    Constraints:
    - (C1) the element type of the input is a float type, and the scale has the same one;
    - (C2) the element type of the result is `i4`, `i8`, `i16` or `i32`, and the zero point has the same one;
    - (C3) without `axis`, scale and zero point have rank 0; with `axis`, they have rank 1 and the size of the
      input along `axis`;
    - (C4) `axis` is at least 0 and less than the rank of the input;
    - (C5) the result has the shape of the input.

    Example:

    ```mlir
    func.func @quantize(%x: tensor<?x8xf32>, %s: tensor<8xf32>, %z: tensor<8xi8>) -> tensor<?x8xi8> {
      %0 = mica.quantize %x scale %s : tensor<8xf32> zero_point %z : tensor<8xi8> axis = 1
         : tensor<?x8xf32> to tensor<?x8xi8>
      return %0 : tensor<?x8xi8>
    }
    ```
  }];
}

def Mica_DequantizeOp : Mica_QuantizationOp<"dequantize"> {
  let summary = "dequantization of integers to floats";
  let description = [{
    `result = (input - zero_point) * scale`. The difference does not overflow, and the product is rounded to the
    element type of the result, to nearest, ties to even. `scale` and `zero_point` hold a single value for the
    whole tensor (rank 0), or one value per position along `axis` (rank 1). If `zero_point` is not given, it is
    0. With `unsigned`, `input` and `zero_point` are unsigned: an `i8` holds 0 to 255.

    Constraints:
    - (C1) the element type of the result is a float type, and the scale has the same one;
    - (C2) the element type of the input is `i4`, `i8`, `i16` or `i32`, and the zero point has the same one;
    - (C3) without `axis`, scale and zero point have rank 0; with `axis`, they have rank 1 and the size of the
      input along `axis`;
    - (C4) `axis` is at least 0 and less than the rank of the input;
    - (C5) the result has the shape of the input.

    Example:

    ```mlir
    func.func @dequantize(%x: tensor<?x8xi4>, %s: tensor<f32>) -> tensor<?x8xf32> {
      %0 = mica.dequantize %x scale %s : tensor<f32> : tensor<?x8xi4> to tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
}

#endif // MICA_CAST_OPS
