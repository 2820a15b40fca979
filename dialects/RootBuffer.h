//===- RootBuffer.h - the memory that a buffer is a view of -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's memref::skipViewLikeOps, for values that may be no buffers.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_ROOTBUFFER_H
#define MICA_DIALECTS_ROOTBUFFER_H

#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

namespace mica {

/// The buffer that `value` is a view of, through any number of views; `value` itself where it is none, or no buffer.
inline mlir::Value rootBuffer(mlir::Value value) {
  auto buffer = mlir::dyn_cast<mlir::MemrefValue>(value);
  return buffer ? mlir::Value(mlir::memref::skipViewLikeOps(buffer)) : value;
}

} // namespace mica

#endif // MICA_DIALECTS_ROOTBUFFER_H
