//===- BufferCode.h - which code on buffers runs where, and what it touches ------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Analyses for mica-tensor-raise-memref-to-tensor: whether operations only load, store and compute, so that they can be
// in a kernel; which buffers they read and write; and which runtime functions they call.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BUFFERCODE_H
#define MICA_PASSES_TENSOR_BUFFERCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mica {

/// Whether `op` or a nested op uses, creates or forwards a buffer.
bool usesBuffers(mlir::Operation *op);

/// Whether `op` or a nested op uses or creates a tensor.
bool usesTensors(mlir::Operation *op);

/// Whether `op`, with its nested ops, only computes and accesses buffers: no calls, no output, no tensors.
bool isKernelCode(mlir::Operation *op);

/// Whether the external function `name` stores to its buffer arguments.
bool helperWrites(llvm::StringRef name);

/// The buffers from outside of `op` that it, with its nested ops, reads or forwards, and those it writes.
struct BufferAccesses {
  llvm::SetVector<mlir::Value> touched; ///< roots, written ones included
  llvm::SetVector<mlir::Value> written; ///< roots
};
BufferAccesses accessesOf(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_TENSOR_BUFFERCODE_H
