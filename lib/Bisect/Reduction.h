//===- Reduction.h - the smallest input on which a pass goes wrong ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: cuts the input of a pass down while the pass does the same wrong to it, by the engine of mica-test-gen.
// Inputs with undefined behavior do not count, so a reduction does not slip into another fault.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_REDUCTION_H
#define MICA_LIB_BISECT_REDUCTION_H

#include "lib/Bisect/Verdict.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica::bisect {

struct ReductionBudget {
  double seconds = 60;
  /// Goes on where an earlier call with the same program, pipeline and inputs was out of time, or was ended.
  bool resumes = false;
};

/// Replaces `before`, `after` and `why` of `culprit` by those of the smallest input found in `budget`, and drops
/// options of its pipeline that the fault does not need. The entry keeps its signature, or `culprit` gets the entry;
/// `smallest` has none to keep. Leaves all that where the fault does not show on `state` with the pass alone, or, where
/// `preceding` is not "", with the pass after that pipeline.
void reduceCulprit(mlir::ModuleOp state, const Entry &entry, Culprit &culprit, Runner &runner,
                   const ReductionBudget &budget, const std::string &preceding = "");

/// The same of a pass that ends the compiler, or fails: `before` and options alone, while the pass ends it in the same
/// way, or fails with the same errors.
void reduceCrash(mlir::ModuleOp state, Culprit &culprit, Runner &runner, const ReductionBudget &budget);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_REDUCTION_H
