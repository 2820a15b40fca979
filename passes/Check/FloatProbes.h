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

/// A report has room for that many values (C2 of mica_check.failed).
inline constexpr size_t kReportValues = 8;

/// Whether a NaN or an infinity can originate in `op`: it computes a float, and does not move, choose or convert one
/// exactly.
bool computesFloat(mlir::Operation *op);

/// Puts behind `op`, which computes a float, what reports its result where that is NaN or an infinity and no operand
/// is: `mica_check.failed "math.log 1"`, the op's name and the number of its float operands, with the bits of the
/// result and of the operands as f64. `element` gives at most so many further values. A constant is no operand in this
/// sense.
mica::check::FailedOp probeFloat(
    mlir::Operation *op, llvm::function_ref<llvm::SmallVector<mlir::Value>(size_t most)> element = [](size_t) {
      return llvm::SmallVector<mlir::Value>();
    });

} // namespace mica

#endif // MICA_PASSES_CHECK_FLOATPROBES_H
