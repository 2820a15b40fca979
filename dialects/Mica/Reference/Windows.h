//===- Windows.h - convolutions and pooling ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared by the window ops of mica and tosa, for any number of spatial dimensions and any layout.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_WINDOWS_H
#define MICA_DIALECTS_MICA_REFERENCE_WINDOWS_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// One spatial dimension of a window op: position p of the result and element k of the kernel use element `p * stride +
/// k * dilation - before` of the image.
struct WindowDim {
  int64_t imageDim;  ///< the dimension of image and result
  int64_t filterDim; ///< the dimension of the filter (convolutions only)
  int64_t kernel;    ///< extent of the window
  int64_t stride = 1, dilation = 1;
  int64_t before = 0, after = 0; ///< padding
  /// A last partial window counts if it begins inside of the image or the padding before it.
  bool roundUp = false;

  /// Number of positions along a dimension of `size` elements; 0 if the window does not fit.
  int64_t positions(int64_t size) const {
    int64_t room = size + before + after - (kernel - 1) * dilation - 1;
    if (room < 0)
      return 0;
    return roundUp ? std::min((room + stride - 1) / stride, (size + before - 1) / stride) + 1 : room / stride + 1;
  }
};

/// One other loop of a convolution: its dimension in image, filter and result, -1 where it has none.
struct ChannelDim {
  int64_t image, filter, result;
};

/// result[..] += sum of image[..] * filter[..], with the image padded by zeros. `result` has the initial values (bias)
/// and the right shape. Floats are not rounded yet, integers not wrapped.
llvm::LogicalResult convolve(mlir::Operation *op, const Tensor &image, const Tensor &filter, Tensor &result,
                             llvm::ArrayRef<WindowDim> windows, llvm::ArrayRef<ChannelDim> channels,
                             const Evaluator &evaluator);

/// Computes each element of the result from the elements of its window that are inside of the image: starts with
/// `initial`, `combine`s them in row-major order, and calls `finish` with their number.
llvm::FailureOr<Tensor> pool(mlir::Operation *op, const Tensor &image, ElementType resultType,
                             llvm::ArrayRef<WindowDim> windows, Cell initial,
                             llvm::function_ref<Cell(Cell, Cell)> combine,
                             llvm::function_ref<Cell(Cell, int64_t)> finish, const Evaluator &evaluator);

/// `tensor` with its dimensions permuted: dimension d of the result is dimension permutation[d] of `tensor`.
Tensor transposed(const Tensor &tensor, llvm::ArrayRef<int64_t> permutation);

/// Combines the elements along `dims`, starting with `initial`; the reduced dimensions are kept with size 1.
Tensor reduced(const Tensor &tensor, llvm::ArrayRef<int64_t> dims, Cell initial,
               llvm::function_ref<Cell(Cell, Cell)> combine);

/// The accumulated values, each float rounded and each integer wrapped to the element type.
Tensor finished(Tensor tensor);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_WINDOWS_H
