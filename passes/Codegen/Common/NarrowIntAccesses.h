//===- NarrowIntAccesses.h - vectors of integers smaller than a byte, in memory ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An element of a buffer is a byte at least, but LLVM packs the elements of a vector of i1 or i4: eight, or two, in a
// byte.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_NARROWINTACCESSES_H
#define MICA_PASSES_CODEGEN_COMMON_NARROWINTACCESSES_H

#include "mlir/IR/PatternMatch.h"

namespace mica {

/// Turns accesses of vectors to buffers of i1 and i4 into accesses to bytes: what is loaded is truncated, what is
/// stored is extended (i4 by its sign).
void populateNarrowIntAccessPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_NARROWINTACCESSES_H
