//===- Shadow.h - evaluating ops without rounding -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates one op for `EvalOptions::shadow`. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_SHADOW_H
#define MICA_DIALECTS_MICA_REFERENCE_SHADOW_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// Evaluates `fn` on `in`, with the rounding of the evaluator's shadow.
llvm::LogicalResult runInShadow(mlir::Operation *op, const OpTable::Fn &fn, Operands in, Results &out,
                                Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_SHADOW_H
