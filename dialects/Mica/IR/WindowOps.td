//===- WindowOps.td - convolutions and pooling ---------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Ops that compute each result element from a window of an image.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_WINDOW_OPS
#define MICA_WINDOW_OPS

include "dialects/Mica/IR/MicaEnums.td"

//===------------------------------------------------------------------------------===//
// Convolutions
//===------------------------------------------------------------------------------===//

class Mica_ConvOp<string mnemonic> : Mica_SumOp<mnemonic> {
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter
    `` custom<Clauses>("\"bias $?\"", $bias, "\"layout=\"", $layout, "\"strides=?\"", $strides,
                       "\"dilations=?\"", $dilations, "\"pads=?\"", $pads, "\"groups=?\"", $groups)
    attr-dict `:` custom<Types>(type($input), type($filter), ref($bias), type($bias), type($result))
  }];
  let moreClassDeclaration = [{
    /// The meaning of the dimensions of image, filter and result in the layout.
    ConvDims getConvDims() { return convDims(getLayout()); }
  }];
}

def Mica_Conv2dOp : Mica_ConvOp<"conv2d"> {
  let summary = "2-D convolution, optionally grouped or depthwise";
  let description = [{
    `result[n, y, x, f]` is `bias[f]` plus the sum over i, j, c of
    `input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c]` times
    `filter[i, j, c, f]`, where elements outside of the image are 0. The filter is not flipped. Products are
    accumulated in the element type of the result (in f32 if that is a narrower float), in an unspecified order;
    integers wrap around. A wider result type, such as `i32` for operands of `i8` or `f32` for operands of
    `f16`, preserves digits that the type of the operands would lose.

    With `groups`, the channels of image and result are divided into that many groups of consecutive channels,
    and each group of the result is computed from the group of the image with the same index. In the formula, f
    and c are then relative to the group, and c in the filter has the size of one group. If there are as many
    groups as image channels, this is a depthwise convolution.

    `layout` is the order of the dimensions of image and result, followed by that of the filter: `nhwc_hwcf` as
    in the formula; `nhwc_fhwc` with the output channels of the filter first; `nchw_fchw` with the channels
    before height and width in image, filter and result. `pads` is `[top, bottom, left, right]`. The size of the
    result is `(size + pads before and after - (kernel - 1) * dilation - 1) / stride + 1`, rounded down.

    Constraints:
    - (C1) input and filter have the same element type, a float or integer type, not `i1`;
    - (C2) input and filter have rank 4;
    - (C3) `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0;
    - (C5) `groups` is at least 1 and divides the number of output channels of the filter;
    - (C6) the image has `groups` times as many channels as the filter has input channels;
    - (C7) the dilated filter is no larger than the padded image;
    - (C8) the bias has the element type of the result, rank 1 and one element per output channel of the filter;
    - (C9) the result has the inferred shape, and the element type of the operands or a wider one of the same
      kind.

    Example:

    ```mlir
    func.func @conv(%x: tensor<?x32x32x3xf32>, %w: tensor<3x3x3x16xf32>, %b: tensor<16xf32>) -> tensor<?x16x16x16xf32> {
      %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf strides = [2, 2] pads = [1, 1, 1, 1]
         : (tensor<?x32x32x3xf32>, tensor<3x3x3x16xf32>, tensor<16xf32>) -> tensor<?x16x16x16xf32>
      return %0 : tensor<?x16x16x16xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$filter, Optional<Mica_Tensor>:$bias,
                       Mica_ConvLayoutAttr:$layout,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
}

def Mica_Conv1dOp : Mica_ConvOp<"conv1d"> {
  let summary = "1-D convolution, optionally grouped or depthwise";
  let description = [{
    `result[n, x, f]` is `bias[f]` plus the sum over i, c of
    `input[n, x * strides[0] + i * dilations[0] - left, c]` times `filter[i, c, f]`. Elements outside of the
    input, accumulation and `groups` are as in `mica.conv2d`.

    `layout` is the order of the dimensions of input and result, followed by that of the filter: `nwc_wcf` as in
    the formula; `nwc_fwc` with the output channels of the filter first; `ncw_fcw` with the channels before the
    width. `pads` is `[left, right]`.

    Constraints:
    - (C1) input and filter have the same element type, a float or integer type, not `i1`;
    - (C2) input and filter have rank 3;
    - (C3) `strides` and `dilations` have one value each, at least 1;
    - (C4) `pads` has two values, at least 0;
    - (C5) `groups` is at least 1 and divides the number of output channels of the filter;
    - (C6) the input has `groups` times as many channels as the filter has input channels;
    - (C7) the dilated filter is no larger than the padded input;
    - (C8) the bias has the element type of the result, rank 1 and one element per output channel of the filter;
    - (C9) the result has the inferred shape, and the element type of the operands or a wider one of the same
      kind.

    Example:

    ```mlir
    func.func @conv1d(%x: tensor<?x80x100xf32>, %w: tensor<32x80x3xf32>, %b: tensor<32xf32>) -> tensor<?x32x50xf32> {
      %0 = mica.conv1d %x, %w bias %b layout = ncw_fcw strides = [2] pads = [1, 1]
         : (tensor<?x80x100xf32>, tensor<32x80x3xf32>, tensor<32xf32>) -> tensor<?x32x50xf32>
      return %0 : tensor<?x32x50xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$filter, Optional<Mica_Tensor>:$bias,
                       Mica_Conv1dLayoutAttr:$layout,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1}">:$dilations,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0}">:$pads,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
}

def Mica_Conv2dTransposeOp : Mica_ConvOp<"conv2d_transpose"> {
  let summary = "transposed 2-D convolution";
  let description = [{
    The transpose of `mica.conv2d`, as in its gradient: each element of the image adds a scaled copy of the
    filter to the result. An element of `result` is `bias[f]` plus the sum of
    `input[n, y, x, c] * filter[f, i, j, c]` over all y, x, i, j, c for which
    `y * strides[0] + i * dilations[0] - top` is its row and `x * strides[1] + j * dilations[1] - left` is its
    column. The filter is not flipped. Accumulation and `groups` are as in `mica.conv2d`.

    `layout` is the order of the dimensions of image and result, followed by that of the filter, where f are the
    channels of the result and c those of the image: `nhwc_fhwc` as in the formula, where with `groups` the f of
    the filter counts all channels and its c those of one group; `nchw_cfhw` with the channels before height and
    width, where the c of the filter counts all channels and its f those of one group.

    `pads` is `[top, bottom, left, right]`, the amounts that are cropped from the result. Negative values extend
    it by elements that no filter reaches. The size of the result is
    `(size - 1) * stride + (kernel - 1) * dilation + 1 - pads before and after`.

    Constraints:
    - (C1) input and filter have the same element type, a float or integer type, not `i1`;
    - (C2) input and filter have rank 4;
    - (C3) `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values;
    - (C5) `groups` is at least 1 and divides the numbers of channels of the image and of the result;
    - (C6) the filter has as many input channels as the image, or, in the layout `nhwc_fhwc`, as one group of
      the image;
    - (C7) the result has at least one row and one column;
    - (C8) the bias has the element type of the result, rank 1 and one element per channel of the result;
    - (C9) the result has the inferred shape, and the element type of the operands or a wider one of the same
      kind.

    Example:

    ```mlir
    func.func @upsample(%x: tensor<?x8x8x32xf32>, %w: tensor<16x3x3x32xf32>, %b: tensor<16xf32>) -> tensor<?x16x16x16xf32> {
      %0 = mica.conv2d_transpose %x, %w bias %b layout = nhwc_fhwc strides = [2, 2] pads = [1, 0, 1, 0]
         : (tensor<?x8x8x32xf32>, tensor<16x3x3x32xf32>, tensor<16xf32>) -> tensor<?x16x16x16xf32>
      return %0 : tensor<?x16x16x16xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_Tensor:$filter, Optional<Mica_Tensor>:$bias,
                       Mica_ConvTransposeLayoutAttr:$layout,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
}

//===------------------------------------------------------------------------------===//
// Pooling
//===------------------------------------------------------------------------------===//

class Mica_PoolOp<string mnemonic> : Mica_InferredOp<mnemonic> {
  let results = (outs Mica_Tensor:$result);
  let moreClassDeclaration = [{
    /// The meaning of the dimensions of image and result in the layout.
    ImageDims getImageDims() { return imageDims(getLayout()); }
  }];
}

def Mica_MaxPoolOp : Mica_PoolOp<"max_pool"> {
  let summary = "2-D max pooling";
  let description = [{
    `result[n, y, x, c]` is the maximum of
    `input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c]` over all i
    and j within `kernel` for which this element is inside of the image. If there is none, it is -inf or the
    smallest integer. If one of the elements is NaN, it is NaN. `layout` is the order of the dimensions, and
    `pads` is `[top, bottom, left, right]`. The size of the result is
    `(size + pads before and after - (kernel - 1) * dilation - 1) / stride + 1`, rounded down. With `ceil_mode`
    it is rounded up, but the last window must start inside of the image or of the padding before it.

    Pooling over a whole image of any size is `mica.reduce max` over height and width with `keep_dims`.

    Constraints:
    - (C1) the element type is a float or integer type, not `i1`;
    - (C2) the input has rank 4;
    - (C3) `kernel`, `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0 and less than the size of the kernel in the same direction;
    - (C5) the dilated kernel is no larger than the padded image;
    - (C6) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @max_pool(%x: tensor<?x28x28x6xf32>) -> tensor<?x14x14x6xf32> {
      %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] strides = [2, 2]
         : (tensor<?x28x28x6xf32>) -> tensor<?x14x14x6xf32>
      return %0 : tensor<?x14x14x6xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_ImageLayoutAttr:$layout, DenseI64ArrayAttr:$kernel,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads, UnitAttr:$ceil_mode);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"layout=\"", $layout, "\"kernel=\"", $kernel, "\"strides=?\"", $strides,
                       "\"dilations=?\"", $dilations, "\"pads=?\"", $pads, "\"ceil_mode?\"", $ceil_mode)
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
}

def Mica_AvgPoolOp : Mica_PoolOp<"avg_pool"> {
  let summary = "2-D average pooling";
  let description = [{
    `result[n, y, x, c]` is the sum of
    `input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c]` over all i
    and j within `kernel` for which this element is inside of the image, divided by the number of these elements
    (NaN if there is none), or, with `count_include_pad`, by the number of elements inside of the padded image.
    Sums are accumulated in f32 if the elements are narrower. `layout`, `pads`, `ceil_mode` and the size of the
    result are as in `mica.max_pool`.

    Pooling over a whole image of any size is `mica.reduce mean` over height and width with `keep_dims`.

    Constraints:
    - (C1) the element type is a float type;
    - (C2) the input has rank 4;
    - (C3) `kernel`, `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0 and less than the size of the kernel in the same direction;
    - (C5) the dilated kernel is no larger than the padded image;
    - (C6) the result has the element type of the operand and the inferred shape.

    Example:

    ```mlir
    func.func @avg_pool(%x: tensor<1x6x28x28xf32>) -> tensor<1x6x15x15xf32> {
      %0 = mica.avg_pool %x layout = nchw kernel = [2, 2] strides = [2, 2] pads = [1, 1, 1, 1] count_include_pad
         : (tensor<1x6x28x28xf32>) -> tensor<1x6x15x15xf32>
      return %0 : tensor<1x6x15x15xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$input, Mica_ImageLayoutAttr:$layout, DenseI64ArrayAttr:$kernel,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads, UnitAttr:$ceil_mode,
                       UnitAttr:$count_include_pad);
  let assemblyFormat = [{
    $input
    `` custom<Clauses>("\"layout=\"", $layout, "\"kernel=\"", $kernel, "\"strides=?\"", $strides,
                       "\"dilations=?\"", $dilations, "\"pads=?\"", $pads, "\"ceil_mode?\"", $ceil_mode,
                       "\"count_include_pad?\"", $count_include_pad)
    attr-dict `:` custom<Types>(type($input), type($result))
  }];
}

#endif // MICA_WINDOW_OPS
