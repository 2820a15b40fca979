//===- CastOps.td - changes of element type ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Casts between all element types, and quantization.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_CAST_OPS
#define MICA_CAST_OPS

include "dialects/Mica/IR/ElementwiseOps.td"

def Mica_CastOp : Mica_Op<"cast", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "Another element type, element by element";
  let description = [{
    The number nearest to `input` in the result's element type:

    - to a float type: rounded to nearest, ties to even; beyond the largest number an infinity (in `f8E4M3FN`, which has
      none, NaN). NaN stays NaN;
    - from a float type to an integer type: `rounding` makes it whole, `toward_zero` (the default) or `nearest_even`. With
      `overflow = saturate` (the default) a number outside of the type becomes the nearest one inside; with `wrap` it is
      saturated to `i64`, of which the low bits are kept. NaN becomes 0;
    - from an integer type to a narrower one: with `overflow = saturate` the nearest number of the type, with `wrap` the low
      bits;
    - to `i1`: whether `input` is not 0, as NaN is not. From `i1`: 0 or 1.

    Constraints:
    - (C1) operand and result have the same rank and sizes;
    - (C2) `rounding` other than `toward_zero` is given only from a float type to an integer type.

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
    $input (`overflow` `=` `` $overflow^)? (`rounding` `=` `` $rounding^)? attr-dict `:` type($input) `to` type($result)
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
    $input `scale` $scale `:` type($scale) (`zero_point` $zero_point^ `:` type($zero_point))? (`axis` `=` $axis^)?
    (`unsigned` $unsigned_storage^)? attr-dict `:` type($input) `to` type($result)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(::mlir::OpBuilder &builder,
                                                       ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mica::reifyAsFirstOperand(builder, *this, shapes);
    }
  }];
}

def Mica_QuantizeOp : Mica_QuantizationOp<"quantize"> {
  let summary = "Floats as small integers";
  let description = [{
    `result = round(input / scale) + zero_point`, brought into the range of the result's type. `scale` and `zero_point` are
    one number for the whole tensor (rank 0), or one per position along `axis` (rank 1). Without `zero_point` it is 0.

    The quotient is rounded to the input's element type (to `f32` for narrower ones), then to a whole number, ties to even.
    NaN becomes the zero point. With `unsigned` the bits of the result and of `zero_point` are unsigned numbers: an `i8`
    holds 0 to 255.

    Constraints:
    - (C1) the input's element type is a float type, and the scale's is the same;
    - (C2) the result's element type is `i4`, `i8`, `i16` or `i32`, and the zero point's is the same;
    - (C3) without `axis`, scale and zero point have rank 0; with it, rank 1 and the input's size along `axis`;
    - (C4) `axis` is at least 0 and smaller than the input's rank;
    - (C5) the result has the input's shape.

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
  let summary = "Small integers as the floats they stand for";
  let description = [{
    `result = (input - zero_point) * scale`, the difference without overflow, the product rounded to the result's
    element type, to nearest, ties to even. `scale` and `zero_point` are one number for the whole tensor (rank 0), or one per
    position along `axis` (rank 1). Without `zero_point` it is 0. With `unsigned` the bits of `input` and of `zero_point` are
    unsigned numbers: an `i8` holds 0 to 255.

    Constraints:
    - (C1) the result's element type is a float type, and the scale's is the same;
    - (C2) the input's element type is `i4`, `i8`, `i16` or `i32`, and the zero point's is the same;
    - (C3) without `axis`, scale and zero point have rank 0; with it, rank 1 and the input's size along `axis`;
    - (C4) `axis` is at least 0 and smaller than the input's rank;
    - (C5) the result has the input's shape.

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
