//===- ParallelLoops.h - structured ops whose loops threads share ---------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_PARALLELLOOPS_H
#define MICA_PASSES_CODEGEN_GPU_PARALLELLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mica::device {

/// Whether the iterations of the parallel loops of `op` may run on different threads: each writes separate elements.
bool writesApart(mlir::linalg::GenericOp op);

/// Whether each map of `op` grows with all its loops, by the same amount in each step. Upstream's tile of another map,
/// as of (d0) -> (3 - d0), begins outside of the buffer.
bool hasGrowingMaps(mlir::linalg::GenericOp op);

/// Whether `op` or an op in its regions may write memory.
bool writesMemory(mlir::Operation *op);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_PARALLELLOOPS_H
