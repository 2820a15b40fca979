//===- AllocationSizes.h - checks of the sizes of allocations ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// Elsewhere the runtime allocates, and rejects negative sizes. Device code allocates by itself.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_ALLOCATIONSIZES_H
#define MICA_PASSES_CHECK_ALLOCATIONSIZES_H

#include "mlir/IR/Builders.h"

namespace mica {

/// Whether `op` allocates memory in device code, of a size that is not known.
bool allocatesUnknownSize(mlir::Operation *op);

/// Inserts a check in front of each unknown size of `allocation`, for which that holds, and replaces negative sizes
/// by 0. Returns the number of checks.
int64_t checkSizes(mlir::OpBuilder &builder, mlir::Operation *allocation);

} // namespace mica

#endif // MICA_PASSES_CHECK_ALLOCATIONSIZES_H
