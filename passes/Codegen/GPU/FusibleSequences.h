//===- FusibleSequences.h - consecutive structured ops ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The selection of configs for contractions and rows iterates over these: ops can share a launch only if there are no
// ops with effects between them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_FUSIBLESEQUENCES_H
#define MICA_PASSES_CODEGEN_GPU_FUSIBLESEQUENCES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mica::device {

/// Calls `plan` with each maximal sequence, even if empty, of structured ops on buffers in a block below `root` that
/// satisfy `belongs`. Allocations and ops without effects may be between two of them; any other op ends a sequence.
void forEachRun(mlir::Operation *root, llvm::function_ref<bool(mlir::linalg::GenericOp)> belongs,
                llvm::function_ref<void(llvm::ArrayRef<mlir::linalg::GenericOp>)> plan);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_FUSIBLESEQUENCES_H
