//===- ContractionOps.td - products and windows ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Matrix products, convolutions, and pooling windows.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_CONTRACTION_OPS
#define MICA_CONTRACTION_OPS

include "dialects/Mica/IR/MicaEnums.td"

def Mica_MatmulOp : Mica_InferredOp<"matmul"> {
  let summary = "Matrix product, with batches and transposed operands";
  let description = [{
    The last two dimensions of each operand are a matrix, the dimensions before them the batch:
    `result[b.., m, n] = sum over k of lhs[b.., m, k] * rhs[b.., k, n]`. With `transpose_a` the left operand is read as
    `lhs[b.., k, m]`, with `transpose_b` the right one as `rhs[b.., n, k]`. Sums are taken in the element type, in an
    order the operation leaves open; integers wrap around.

    Batch dimensions are those of the operand that has them where the other has rank 2 (one matrix for all batches);
    otherwise they match in pairs, and one that is statically 1 is repeated.

    Constraints:
    - (C1) both operands have one element type, one of `f32`, `f64`, `i32`, `i64`;
    - (C2) both ranks are at least 2, and they are equal or one of them is 2;
    - (C3) the contracted sizes (`k`) are equal;
    - (C4) in every batch dimension that both have, the sizes are equal or one of them is statically 1;
    - (C5) the result has the operands' element type and the shape batch, `m`, `n`.

    Example:

    ```mlir
    func.func @scores(%q: tensor<?x12x64x32xf32>, %k: tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32> {
      %0 = mica.matmul %q, %k transpose_b
         : (tensor<?x12x64x32xf32>, tensor<?x12x64x32xf32>) -> tensor<?x12x64x64xf32>
      return %0 : tensor<?x12x64x64xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$lhs, Mica_Tensor:$rhs, UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
  let moreClassDeclaration = [{
    /// Position of m, and of the contracted k, in the left operand; of k and n in the right one.
    int64_t getLhsRowDim() { return getLhs().getType().getRank() - (getTransposeA() ? 1 : 2); }
    int64_t getLhsContractedDim() { return getLhs().getType().getRank() - (getTransposeA() ? 2 : 1); }
    int64_t getRhsContractedDim() { return getRhs().getType().getRank() - (getTransposeB() ? 1 : 2); }
    int64_t getRhsColumnDim() { return getRhs().getType().getRank() - (getTransposeB() ? 2 : 1); }
  }];
}

def Mica_Conv2dOp : Mica_InferredOp<"conv2d"> {
  let summary = "Convolution of images with a filter";
  let description = [{
    `result[n, y, x, f] = bias[f] + sum over i, j, c of
    input[n, y * strides[0] + i * dilations[0] - top, x * strides[1] + j * dilations[1] - left, c] * filter[i, j, c, f]`,
    where elements outside of the image are 0. The filter is not flipped. Sums are taken in the element type, in an
    order the operation leaves open; integers wrap around.

    `layout` orders the dimensions: `nhwc_hwcf` as in the formula; `nhwc_fhwc` with the filter's output channels first;
    `nchw_fchw` with the channels before height and width in image, filter and result. `pads` is
    `[top, bottom, left, right]`. The size of the result is
    `(size + pads before and after - (kernel - 1) * dilation - 1) / stride + 1`, rounded down.

    Constraints:
    - (C1) input, filter and bias have one element type, one of `f32`, `f64`, `i32`, `i64`;
    - (C2) input and filter have rank 4;
    - (C3) `strides` and `dilations` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0;
    - (C5) `groups` is 1;
    - (C6) the filter has as many input channels as the image;
    - (C7) the dilated filter is no larger than the padded image;
    - (C8) the bias has rank 1 and as many elements as the filter has output channels;
    - (C9) the result has the operands' element type and the shape that follows.

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
  let results = (outs Mica_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter (`bias` $bias^)? `layout` `=` `` $layout (`strides` `=` $strides^)?
    (`dilations` `=` $dilations^)? (`pads` `=` $pads^)? (`groups` `=` $groups^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let moreClassDeclaration = [{
    /// Where the layout puts the parts of image and result, and of the filter.
    ImageDims getImageDims() { return imageDims(getLayout()); }
    FilterDims getFilterDims() { return filterDims(getLayout()); }
  }];
}

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
    `result[n, y, x, c]` is the largest of `input[n, y * strides[0] + i - top, x * strides[1] + j - left, c]` for i and j
    within `kernel`, among the elements inside of the image. If one of them is NaN the result is NaN. `layout` says where
    the channels are, `pads` is `[top, bottom, left, right]`. The size of the result is
    `(size + pads before and after - kernel) / stride + 1`, rounded down.

    Constraints:
    - (C1) the element type is one of `f32`, `f64`, `i32`, `i64`;
    - (C2) the input has rank 4;
    - (C3) `kernel` and `strides` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0 and smaller than the kernel in their direction;
    - (C5) the kernel is no larger than the padded image;
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
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads);
  let assemblyFormat = [{
    $input `layout` `=` `` $layout `kernel` `=` $kernel (`strides` `=` $strides^)? (`pads` `=` $pads^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Mica_AvgPoolOp : Mica_PoolOp<"avg_pool"> {
  let summary = "Mean of each window of an image";
  let description = [{
    `result[n, y, x, c]` is the sum of `input[n, y * strides[0] + i - top, x * strides[1] + j - left, c]` for i and j
    within `kernel`, over the elements inside of the image, divided by their number; with `count_include_pad` divided by
    the number of elements of the kernel. `layout` says where the channels are, `pads` is `[top, bottom, left, right]`.
    The size of the result is `(size + pads before and after - kernel) / stride + 1`, rounded down.

    Constraints:
    - (C1) the element type is one of `f32`, `f64`;
    - (C2) the input has rank 4;
    - (C3) `kernel` and `strides` have two values each, at least 1;
    - (C4) `pads` has four values, at least 0 and smaller than the kernel in their direction;
    - (C5) the kernel is no larger than the padded image;
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
                       DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads, UnitAttr:$count_include_pad);
  let assemblyFormat = [{
    $input `layout` `=` `` $layout `kernel` `=` $kernel (`strides` `=` $strides^)? (`pads` `=` $pads^)?
    (`count_include_pad` $count_include_pad^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MICA_CONTRACTION_OPS
