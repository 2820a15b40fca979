//===- FloatProbes.h - probes for the origins of NaN and infinities -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For replays of kernels (mica-codegen-build-replay) and host functions (mica-check-probe-floats).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_FLOATPROBES_H
#define MICA_PASSES_CHECK_FLOATPROBES_H

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

namespace mica {

/// The maximum number of values in a report (C2 of mica_check.failed).
inline constexpr size_t kReportValues = 8;

/// Whether a NaN or an infinity can originate in `op`: it computes a float, and does not just move, select or exactly
/// convert one.
bool computesFloat(mlir::Operation *op);

/// Inserts after `op`, which computes a float, a report of its result if it is NaN or an infinity and no operand is:
/// `mica_check.failed "math.log 1"`, with the op's name and the number of its float operands, and the bits of the
/// result and of the operands as f64. `element` returns at most the given number of further values. Constants do not
/// count as operands.
mica::check::FailedOp probeFloat(
    mlir::Operation *op, llvm::function_ref<llvm::SmallVector<mlir::Value>(size_t most)> element = [](size_t) {
      return llvm::SmallVector<mlir::Value>();
    });

} // namespace mica

#endif // MICA_PASSES_CHECK_FLOATPROBES_H
