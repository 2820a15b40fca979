//===- BufferCode.h - which code on buffers runs where, and what it touches ------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// What mica-tensor-raise-memref-to-tensor asks of operations before it decides: do they only load, store and compute,
// so that a kernel can hold them; which buffers do they read and write; and which functions of the runtime do they
// call.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BUFFERCODE_H
#define MICA_PASSES_TENSOR_BUFFERCODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mica {

/// Whether `op` or anything in it takes, makes or carries a buffer.
bool usesBuffers(mlir::Operation *op);

/// Whether `op` or anything in it takes or makes a tensor.
bool usesTensors(mlir::Operation *op);

/// Whether `op`, with all it holds, only computes and works on buffers: no calls, no output, no tensors.
bool isKernelCode(mlir::Operation *op);

/// Whether a call of external function `name` stores to the buffers it takes.
bool helperWrites(llvm::StringRef name);

/// The buffers of the code around `op` that it, with all it holds, reads or binds, and those it writes.
struct BufferAccesses {
  llvm::SetVector<mlir::Value> touched; ///< roots, written ones included
  llvm::SetVector<mlir::Value> written; ///< roots
};
BufferAccesses accessesOf(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_TENSOR_BUFFERCODE_H
