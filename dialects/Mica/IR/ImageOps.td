//===- ImageOps.td - padding and resizing --------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Padding of tensors and resizing of images.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_IMAGE_OPS
#define MICA_IMAGE_OPS

include "dialects/Mica/IR/MicaEnums.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Mica_PadOp : Mica_InferredOp<"pad"> {
  let summary = "padding of a tensor";
  let description = [{
    In dimension d, the result has `low[d]` elements before and `high[d]` elements after those of the operand.
    If the operand has n elements in a dimension, an element of the padding at position p < 0 or p >= n is:

    | `mode` | element | `a b c` padded by 2 on each side |
    |---|---|---|
    | `constant` | `value`, or 0 if it is not given | `v v a b c v v` |
    | `edge` | the nearest element | `a a a b c c c` |
    | `reflect` | the element at p mirrored at the first or last element, which is not repeated | `c b a b c b a` |
    | `wrap` | the element at p modulo n | `b c a b c a b` |

    Constraints:
    - (C1) `low` and `high` have one value per dimension of the operand, and each value is at least 0;
    - (C2) `value` is given only with mode `constant`, and has the element type of the operand;
    - (C3) a padded dimension has at least one element with mode `edge`, more elements than `low` and `high`
      with mode `reflect`, and no fewer than `low` and `high` with mode `wrap`;
    - (C4) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @mirror(%x: tensor<?x3x32x32xf32>) -> tensor<?x3x34x36xf32> {
      %0 = mica.pad %x low = [0, 0, 1, 2] high = [0, 0, 1, 2] mode = reflect
         : (tensor<?x3x32x32xf32>) -> tensor<?x3x34x36xf32>
      return %0 : tensor<?x3x34x36xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, Mica_PadModeAttr:$mode,
                       OptionalAttr<TypedAttrInterface>:$value);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"low=\"", $low, "\"high=\"", $high, "\"mode=\"", $mode, "\"value=?\"", $value)
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
  let hasFolder = 1;
}

def Mica_ResizeOp : Mica_Op<"resize", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "resize of images by interpolation";
  let description = [{
    Height and width of the result are those of its type; where they are dynamic, `sizes` gives them, height
    first. In each direction, position x of the `out` positions of the result corresponds to the coordinate c
    among the `in` positions of the operand:

    | `coordinates` | c |
    |---|---|
    | `half_pixel` | `(x + 0.5) * in / out - 0.5` |
    | `asymmetric` | `x * in / out` |
    | `align_corners` | `x * (in - 1) / (out - 1)`; 0 if `out` is 1 |

    Coordinates are computed exactly, as fractions of integers. With mode `nearest`, the result is the element
    at c rounded to an integer as `rounding` specifies and clamped to the image. `rounding` is `floor`, `ceil`,
    or to nearest, where ties are rounded down by `prefer_floor` and up by `prefer_ceil`. With mode `bilinear`,
    the result is `(1 - f) * a + f * b` in each direction, where f is the fractional part of c, and a and b are
    the elements at c rounded down and at the next position, both clamped to the image.

    Constraints:
    - (C1) with mode `bilinear`, the element type is a float type;
    - (C2) the input has rank 4;
    - (C3) result and input have the same element type, rank, batch size and number of channels;
    - (C4) height and width of input and result are at least 1;
    - (C5) the number of `sizes` equals the number of dynamic dimensions among height and width of the result.

    Example:

    ```mlir
    func.func @twice(%x: tensor<?x16x20x30xf32>) -> tensor<?x16x40x60xf32> {
      %0 = mica.resize %x layout = nchw mode = bilinear coordinates = half_pixel
         : (tensor<?x16x20x30xf32>) -> tensor<?x16x40x60xf32>
      return %0 : tensor<?x16x40x60xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Variadic<Index>:$sizes, Mica_ImageLayoutAttr:$layout,
                       Mica_ResizeModeAttr:$mode, Mica_ResizeCoordinatesAttr:$coordinates,
                       DefaultValuedAttr<Mica_ResizeRoundingAttr, "::mica::ResizeRounding::PreferFloor">:$rounding);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"sizes()?\"", $sizes, "\"layout=\"", $layout, "\"mode=\"", $mode,
                       "\"coordinates=\"", $coordinates, "\"rounding=?\"", $rounding)
    attr-dict `:` custom<Types>(type($input), ref($sizes), type($sizes), type($result))
  }];
  let moreClassDeclaration = [{
    /// The meaning of the dimensions of image and result in the layout.
    ImageDims getImageDims() { return imageDims(getLayout()); }
  }];
}

#endif // MICA_IMAGE_OPS
