//===- Shadow.h - ops without rounding, and what it does to them --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// How `EvalOptions::shadow` runs one op. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_SHADOW_H
#define MICA_DIALECTS_MICA_REFERENCE_SHADOW_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// Runs `fn` on `in`, and rounds as the shadow of `evaluator` says.
llvm::LogicalResult runInShadow(mlir::Operation *op, const OpTable::Fn &fn, Operands in, Results &out,
                                Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_SHADOW_H
