//===- NarrowIntAccesses.h - accesses of vectors of sub-byte integers --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An element of a buffer has at least one byte, but LLVM packs the elements of a vector of i1 or i4: eight, or two, per
// byte.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_NARROWINTACCESSES_H
#define MICA_PASSES_CODEGEN_COMMON_NARROWINTACCESSES_H

#include "mlir/IR/PatternMatch.h"

namespace mica {

/// Converts accesses of vectors to buffers of i1 and i4 to accesses of bytes: loaded values are truncated, stored
/// values extended (i4 by its sign).
void populateNarrowIntAccessPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_NARROWINTACCESSES_H
