//===- Predicates.h - taking predicates of checks as true -----------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Passes that find out that a check cannot fail remove it and its report in the same way.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_PREDICATES_H
#define MICA_PASSES_CHECK_PREDICATES_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Replaces `predicate`, an op of mica_check with one result, by true, and erases it. A branch whose condition is that
/// predicate alone is replaced by what it guards.
void replaceByTrue(mlir::Operation *predicate);

/// Whether `value` is a size in a dimension that its shape does not have: upstream's value bounds read beyond the shape
/// of it.
bool isBeyondRank(mlir::Value value);

} // namespace mica

#endif // MICA_PASSES_CHECK_PREDICATES_H
