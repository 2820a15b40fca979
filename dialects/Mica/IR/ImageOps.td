//===- ImageOps.td - borders and sizes ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Operations that put a border around a tensor, or give an image another size.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_IMAGE_OPS
#define MICA_IMAGE_OPS

include "dialects/Mica/IR/MicaEnums.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Mica_PadOp : Mica_InferredOp<"pad"> {
  let summary = "Border around a tensor";
  let description = [{
    The result has `low[d]` elements before and `high[d]` elements after those of the operand in dimension d. With
    n elements in a dimension, the element at position p of them, where p < 0 or p >= n is in the border, is:

    | `mode` | the element | border of `a b c` with 2 on each side |
    |---|---|---|
    | `constant` | `value`, or 0 without it | `v v a b c v v` |
    | `edge` | the nearest one | `a a a b c c c` |
    | `reflect` | p mirrored at the first or last element, which is not repeated | `c b a b c b a` |
    | `wrap` | p modulo n | `b c a b c a b` |

    Constraints:
    - (C1) `low` and `high` have one value per dimension of the operand, at least 0;
    - (C2) `value` is given with mode `constant` alone, and has the operand's element type;
    - (C3) a dimension with a border has at least one element with mode `edge`, more elements than `low` and `high` are
      with mode `reflect`, and no fewer than they are with mode `wrap`;
    - (C4) the result has the operand's element type and the shape that follows.

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
    $input `low` `=` $low `high` `=` $high `mode` `=` `` $mode (`value` `=` $value^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Mica_ResizeOp : Mica_Op<"resize", [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "An image in another size";
  let description = [{
    Height and width of the result are those of the result type; where they are dynamic, `sizes` gives them, height first.
    Position x of the `out` positions of the result in one direction stands for the coordinate c among the `in` positions
    of the operand:

    | `coordinates` | c |
    |---|---|
    | `half_pixel` | `(x + 0.5) * in / out - 0.5` |
    | `asymmetric` | `x * in / out` |
    | `align_corners` | `x * (in - 1) / (out - 1)`; 0 if `out` is 1 |

    These are fractions of integers and are computed exactly. With mode `nearest` the result is the element at c, rounded
    to an integer as `rounding` says (`floor`, `ceil`, or to the nearest, of two equally near ones the lower with
    `prefer_floor`, the upper with `prefer_ceil`), and limited to the image. With mode `bilinear` it is, in each direction,
    `(1 - f) * a + f * b`, where f is c less c rounded down, and a and b are the elements at c rounded down and the next
    one, both limited to the image.

    Constraints:
    - (C1) the element type is one of the float types with mode `bilinear`;
    - (C2) the input has rank 4;
    - (C3) result and input agree in element type, rank, batch and channels;
    - (C4) height and width of input and result are at least 1;
    - (C5) there are as many `sizes` as of height and width of the result are dynamic.

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
    $input (`sizes` `(` $sizes^ `)`)? `layout` `=` `` $layout `mode` `=` `` $mode `coordinates` `=` `` $coordinates
    (`rounding` `=` `` $rounding^)? attr-dict `:` functional-type(operands, results)
  }];
  let moreClassDeclaration = [{
    /// Where the layout puts the parts of image and result.
    ImageDims getImageDims() { return imageDims(getLayout()); }
  }];
}

#endif // MICA_IMAGE_OPS
