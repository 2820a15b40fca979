//===- RootBuffer.h - the base of a view --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Like upstream's memref::skipViewLikeOps, but also for values that are not buffers.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_ROOTBUFFER_H
#define MICA_DIALECTS_ROOTBUFFER_H

#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

namespace mica {

/// The buffer of which `value` is a view, through any number of views; `value` itself if it is not a view.
inline mlir::Value rootBuffer(mlir::Value value) {
  auto buffer = mlir::dyn_cast<mlir::MemrefValue>(value);
  return buffer ? mlir::Value(mlir::memref::skipViewLikeOps(buffer)) : value;
}

} // namespace mica

#endif // MICA_DIALECTS_ROOTBUFFER_H
