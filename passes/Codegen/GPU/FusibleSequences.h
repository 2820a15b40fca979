//===- FusibleSequences.h - structured ops that follow each other -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What plans of products and of rows go over: ops that can be one launch have nothing between them that a launch would
// have to wait for.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_FUSIBLESEQUENCES_H
#define MICA_PASSES_CODEGEN_GPU_FUSIBLESEQUENCES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mica::device {

/// Calls `plan` with each longest run, an empty one too, of structured ops on buffers in a block below `root` that
/// satisfy `belongs`. Allocations and ops without effects may lie between two of them; any other op ends a run.
void forEachRun(mlir::Operation *root, llvm::function_ref<bool(mlir::linalg::GenericOp)> belongs,
                llvm::function_ref<void(llvm::ArrayRef<mlir::linalg::GenericOp>)> plan);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_FUSIBLESEQUENCES_H
