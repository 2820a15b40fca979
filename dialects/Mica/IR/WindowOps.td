//===- WindowOps.td - convolutions and pools ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Operations that compute each element of the result from a window of an image.
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
    $input `,` $filter (`bias` $bias^)? `layout` `=` `` $layout (`strides` `=` $strides^)?
    (`dilations` `=` $dilations^)? (`pads` `=` $pads^)? (`groups` `=` $groups^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let moreClassDeclaration = [{
    /// Where the layout puts the parts of image, filter and result.
    ConvDims getConvDims() { return convDims(getLayout()); }
  }];
}

def Mica_Conv2dOp : Mica_ConvOp<"conv2d"> {
  let summary = "Convolution of images with a filter, in groups or depthwise too";
  let description = [{
    `result[n, y, x, f] = bias[f] + sum over i, j, c of
    input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c] * filter[i, j, c, f]`,
    where elements outside of the image are 0. The filter is not flipped. Products and sums are taken in the element type of
    the result (in f32 where that is a narrower float), in an order the operation leaves open; integers wrap around. A result
    of `i32` from operands of `i8`, or of `f32` from `f16`, keeps what the operands' type would lose.

    With `groups` the channels of image and result are divided into so many groups of neighbours, and each group of the
    result comes from the group of the image with the same number: f and c count within the group in the sum, and the
    filter's c has the size of one group. As many groups as the image has channels is a depthwise convolution.

    `layout` orders the dimensions of image and result, then of the filter: `nhwc_hwcf` as in the formula; `nhwc_fhwc` with
    the filter's output channels first; `nchw_fchw` with the channels before height and width in image, filter and result.
    `pads` is `[top, bottom, left, right]`. The size of the result is
    `(size + pads before and after - (kernel - 1) * dilation - 1) / stride + 1`, rounded down.

    Constraints:
    - (C1) input and filter have one element type, one of the float and integer types, `i1` not among them;
    - (C2) input and filter have rank 4;
    - (C3) `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0;
    - (C5) `groups` is at least 1 and divides the number of the filter's output channels;
    - (C6) the image has `groups` times as many channels as the filter has input channels;
    - (C7) the dilated filter is no larger than the padded image;
    - (C8) the bias has the result's element type, rank 1 and as many elements as the filter has output channels;
    - (C9) the result has the shape that follows, and the operands' element type or a wider one of its kind.

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
  let summary = "Convolution of rows with a filter, in groups or depthwise too";
  let description = [{
    `result[n, x, f] = bias[f] + sum over i, c of input[n, x * strides[0] + i * dilations[0] - left, c] * filter[i, c, f]`,
    with elements outside of the row, sums and `groups` as in `mica.conv2d`.

    `layout` orders the dimensions of input and result, then of the filter: `nwc_wcf` as in the formula; `nwc_fwc` with the
    filter's output channels first; `ncw_fcw` with the channels before the width. `pads` is `[left, right]`.

    Constraints:
    - (C1) input and filter have one element type, one of the float and integer types, `i1` not among them;
    - (C2) input and filter have rank 3;
    - (C3) `strides` and `dilations` have one value each, at least 1;
    - (C4) `pads` has two values, at least 0;
    - (C5) `groups` is at least 1 and divides the number of the filter's output channels;
    - (C6) the input has `groups` times as many channels as the filter has input channels;
    - (C7) the dilated filter is no larger than the padded input;
    - (C8) the bias has the result's element type, rank 1 and as many elements as the filter has output channels;
    - (C9) the result has the shape that follows, and the operands' element type or a wider one of its kind.

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
  let summary = "Transposed convolution of images";
  let description = [{
    What `mica.conv2d` does to the gradient: each element of the image adds a filter, scaled by it, to the result. `result`
    is `bias[f]` plus the sum of `input[n, y, x, c] * filter[f, i, j, c]` for all y, x, i, j, c that reach the element:
    `y * strides[0] + i * dilations[0] - top` is its row, `x * strides[1] + j * dilations[1] - left` its column. The filter
    is not flipped. Sums and `groups` are as in `mica.conv2d`.

    `layout` orders the dimensions of image and result, then of the filter, where f are the channels of the result and c
    those of the image: `nhwc_fhwc` as in the formula, where with `groups` the filter's f counts all channels and c those of
    one group; `nchw_cfhw` with the channels before height and width, where the filter's c counts all channels and f those
    of one group.

    `pads` is `[top, bottom, left, right]`, what is cut off of the result; negative values extend it by elements that no
    filter reaches. The size of the result is `(size - 1) * stride + (kernel - 1) * dilation + 1 - pads before and after`.

    Constraints:
    - (C1) input and filter have one element type, one of the float and integer types, `i1` not among them;
    - (C2) input and filter have rank 4;
    - (C3) `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values;
    - (C5) `groups` is at least 1 and divides the number of channels of the image and of the result;
    - (C6) the filter has as many input channels as the image, or in the layout `nhwc_fhwc` as one group of it;
    - (C7) the result has at least one row and one column;
    - (C8) the bias has the result's element type, rank 1 and as many elements as the result has channels;
    - (C9) the result has the shape that follows, and the operands' element type or a wider one of its kind.

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
// Pools
//===------------------------------------------------------------------------------===//

class Mica_PoolOp<string mnemonic> : Mica_InferredOp<mnemonic> {
  let results = (outs Mica_Tensor:$result);
  let moreClassDeclaration = [{
    /// Where the layout puts the parts of image and result.
    ImageDims getImageDims() { return imageDims(getLayout()); }
  }];
}

def Mica_MaxPoolOp : Mica_PoolOp<"max_pool"> {
  let summary = "Largest element of each window of an image";
  let description = [{
    `result[n, y, x, c]` is the largest of
    `input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c]` for i and j within
    `kernel`, among the elements inside of the image; where there is none, -inf or the smallest integer. If one of them is
    NaN the result is NaN. `layout` says where the channels are, `pads` is `[top, bottom, left, right]`. The size of the
    result is `(size + pads before and after - (kernel - 1) * dilation - 1) / stride + 1`, rounded down; with `ceil_mode`
    rounded up, but only as far as the last window begins inside of the image or of the padding before it.

    The pool of a whole image, whatever its size, is `mica.reduce max` over height and width with `keep_dims`.

    Constraints:
    - (C1) the element type is one of the float and integer types, `i1` not among them;
    - (C2) the input has rank 4;
    - (C3) `kernel`, `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0 and smaller than the kernel in their direction;
    - (C5) the dilated kernel is no larger than the padded image;
    - (C6) the result has the operand's element type and the shape that follows.

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
    $input `layout` `=` `` $layout `kernel` `=` $kernel (`strides` `=` $strides^)? (`dilations` `=` $dilations^)?
    (`pads` `=` $pads^)? (`ceil_mode` $ceil_mode^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Mica_AvgPoolOp : Mica_PoolOp<"avg_pool"> {
  let summary = "Mean of each window of an image";
  let description = [{
    `result[n, y, x, c]` is the sum of
    `input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c]` for i and j within
    `kernel`, over the elements inside of the image, divided by their number (where there is none: NaN); with
    `count_include_pad` divided by the number of those inside of the padded image. Sums are taken in f32 where the elements
    are narrower. `layout`, `pads`, `ceil_mode` and the size of the result are as in `mica.max_pool`.

    The pool of a whole image, whatever its size, is `mica.reduce mean` over height and width with `keep_dims`.

    Constraints:
    - (C1) the element type is one of the float types;
    - (C2) the input has rank 4;
    - (C3) `kernel`, `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0 and smaller than the kernel in their direction;
    - (C5) the dilated kernel is no larger than the padded image;
    - (C6) the result has the operand's element type and the shape that follows.

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
    $input `layout` `=` `` $layout `kernel` `=` $kernel (`strides` `=` $strides^)? (`dilations` `=` $dilations^)?
    (`pads` `=` $pads^)? (`ceil_mode` $ceil_mode^)? (`count_include_pad` $count_include_pad^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // MICA_WINDOW_OPS
