//===- Windows.h - convolutions and pooling ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the window ops of mica and tosa have in common, in any number of spatial dimensions and any layout.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_WINDOWS_H
#define MICA_DIALECTS_MICA_REFERENCE_WINDOWS_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// One spatial dimension of a window op: element `p * stride + k * dilation - before` of the image belongs to position
/// p of the result and element k of the kernel.
struct WindowDim {
  int64_t imageDim;  ///< which dimension of image and result it is
  int64_t filterDim; ///< which of the filter (convolutions only)
  int64_t kernel;    ///< extent of the window
  int64_t stride = 1, dilation = 1;
  int64_t before = 0, after = 0; ///< padding
  /// A last window that the end cuts off counts, if it begins inside of the image or the padding before it.
  bool roundUp = false;

  /// Number of positions along a dimension of `size` elements; 0 if the window does not fit.
  int64_t positions(int64_t size) const {
    int64_t room = size + before + after - (kernel - 1) * dilation - 1;
    if (room < 0)
      return 0;
    return roundUp ? std::min((room + stride - 1) / stride, (size + before - 1) / stride) + 1 : room / stride + 1;
  }
};

/// One other loop of a convolution: the dimension of image, filter and result it runs along, -1 where it does not.
struct ChannelDim {
  int64_t image, filter, result;
};

/// result[..] += sum of image[..] * filter[..], the image padded with zeros. `result` holds the initial values (bias)
/// and must have the right shape. Floats are not yet rounded, integers not yet wrapped.
llvm::LogicalResult convolve(mlir::Operation *op, const Tensor &image, const Tensor &filter, Tensor &result,
                             llvm::ArrayRef<WindowDim> windows, llvm::ArrayRef<ChannelDim> channels,
                             const Evaluator &evaluator);

/// Each element of the result from the elements of its window that lie inside of the image: starts with `initial`,
/// `combine`s them in row-major order, and `finish`es with their number.
llvm::FailureOr<Tensor> pool(mlir::Operation *op, const Tensor &image, ElementType resultType,
                             llvm::ArrayRef<WindowDim> windows, Cell initial,
                             llvm::function_ref<Cell(Cell, Cell)> combine,
                             llvm::function_ref<Cell(Cell, int64_t)> finish, const Evaluator &evaluator);

/// `tensor` with its dimensions permuted: dimension d of the result is dimension permutation[d] of `tensor`.
Tensor transposed(const Tensor &tensor, llvm::ArrayRef<int64_t> permutation);

/// The elements along `dims` combined, starting with `initial`; the reduced dimensions stay with extent 1.
Tensor reduced(const Tensor &tensor, llvm::ArrayRef<int64_t> dims, Cell initial,
               llvm::function_ref<Cell(Cell, Cell)> combine);

/// What was accumulated, each float rounded and each integer wrapped to the element type.
Tensor finished(Tensor tensor);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_WINDOWS_H
