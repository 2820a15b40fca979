//===- Bisection.h - the search for the pass that is to blame -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: runs the states of a recorded pipeline and ends with a verdict.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_BISECTION_H
#define MICA_LIB_BISECT_BISECTION_H

#include "lib/Bisect/Recorded.h"
#include "lib/Bisect/Reduction.h"
#include "lib/Bisect/Verdict.h"

#include <functional>

namespace mica::bisect {

struct Settings {
  bool reduce = true;
  ReductionBudget reduction;
  /// Called with a line for each thing that was tried.
  std::function<void(const std::string &)> progress = [](const std::string &) {};
};

/// What the program computes as written.
struct Baseline {
  Outcome outcome;
  /// Of the reference lowering, where it computes something else than the reference evaluator: then only states that
  /// the evaluator takes can be judged.
  std::optional<Outcome> otherwise;
  bool isChecked = false; ///< undefined behavior was looked for, and there is none
  std::vector<std::string> ruledOut;
};

/// Looks at the program as written: undefined behavior, two runs that differ, a run that crashes. Nothing where the
/// search may begin; then `baseline` is filled in.
std::optional<Verdict> judgeProgram(mlir::ModuleOp program, const Entry &entry, Runner &runner,
                                    const Settings &settings, Baseline &baseline);

/// The verdict where a pass ends the compiler: that holds whatever the program computes, and where it cannot be run.
Result<std::optional<Verdict>> endingPass(const Recorded &recorded, mlir::MLIRContext &context, Runner &runner,
                                          const Settings &settings);

/// The verdict where the pass that fails leaves IR that does not verify.
Result<std::optional<Verdict>> invalidatingPass(const Recorded &recorded, mlir::MLIRContext &context, Runner &runner,
                                                const Settings &settings);

/// Finds a pass after which the program is right no more.
Result<Verdict> bisectPasses(const Recorded &recorded, const Entry &entry, const Baseline &baseline,
                             mlir::MLIRContext &context, Runner &runner, const Settings &settings);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_BISECTION_H
