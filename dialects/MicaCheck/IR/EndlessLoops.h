//===- EndlessLoops.h - reports of loops that never end ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// A loop whose condition nothing changes is checked before it begins (mica-tensor-lift-cf-to-scf). In a kernel the
// report of this check is a mica_check.failed from the beginning, because a cf.assert has no values.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICACHECK_IR_ENDLESSLOOPS_H
#define MICA_DIALECTS_MICACHECK_IR_ENDLESSLOOPS_H

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

namespace mica::check {

/// How the message of such a report begins; its values are what the loop carries, in the places "{0}", "{1:f}", ..
inline constexpr llvm::StringLiteral kEndlessMessage = "the loop never ends";

/// Whether `op` reports a loop that never ends; the branch around it is its check.
inline bool reportsEndless(mlir::Operation *op) {
  auto report = llvm::dyn_cast<FailedOp>(op);
  return report && report.getMessage().starts_with(kEndlessMessage);
}

} // namespace mica::check

#endif // MICA_DIALECTS_MICACHECK_IR_ENDLESSLOOPS_H
