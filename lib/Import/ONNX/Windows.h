//===- Windows.h - windows that move over images --------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What convolutions and pooling share: kernels, strides, dilations and padding in any number of dimensions.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_WINDOWS_H
#define MICA_IMPORT_ONNX_WINDOWS_H

#include "lib/Import/ONNX/Node.h"

namespace mica::importer {

/// One value per spatial dimension, in their order.
struct Windows {
  Ints kernel, strides, dilations, before, after; ///< `before`, `after`: padding
  bool ceilMode = false;

  size_t size() const { return kernel.size(); }
  /// [before 0, after 0, before 1, after 1]: as mica's ops have it.
  Ints pads() const;
};

/// The attributes of a node over an image of `sizes` (spatial ones alone). Refuses what is not valid, and automatic
/// padding of dynamic sizes. Transposed convolutions compute their own padding.
std::optional<Windows> windowsOf(Node &node, Ints kernel, llvm::ArrayRef<int64_t> sizes, bool isTransposed = false);

/// The tensor with `value` around its last dimensions; negative values cut off.
mlir::Value padded(Node &node, mlir::Value image, llvm::ArrayRef<int64_t> before, llvm::ArrayRef<int64_t> after,
                   double value);

/// Input [N, C, ...] and filter [F, C / groups, ...] of one element type, in any number of spatial dimensions;
/// accumulates in `result`. The padding is done already.
mlir::Value convolved(Node &node, mlir::Value input, mlir::Value filter, const Windows &windows, int64_t groups,
                      mlir::Type result);

/// A convolution by the dialect's op for one or two spatial dimensions, else by `convolved`. `bias`: null or [F].
/// Null: refused.
mlir::Value convolution(Node &node, mlir::Value input, mlir::Value filter, mlir::Value bias, mlir::Type result);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_WINDOWS_H
