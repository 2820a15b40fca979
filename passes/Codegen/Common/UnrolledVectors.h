//===- UnrolledVectors.h - vectors that are too long to be unrolled -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reductions, scans, transposes and so on of vectors become one operation per element, or per row. A pass that runs
// such patterns asks first whether they end.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_UNROLLEDVECTORS_H
#define MICA_PASSES_CODEGEN_COMMON_UNROLLEDVECTORS_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Elements of a vector that is unrolled. Code of this many operations takes seconds.
inline constexpr int64_t kMostUnrolledElements = int64_t(1) << 20;

/// Failure, with an error at the first op of the vector dialect inside `root` that has an operand or a result of more
/// than kMostUnrolledElements elements.
llvm::LogicalResult checkUnrolledVectors(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_UNROLLEDVECTORS_H
