//===- InputAxis.h - the part of the inputs that shows a fault ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: sets elements of the inputs to 0 while the program still goes wrong, and has no undefined behavior.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_INPUTAXIS_H
#define MICA_LIB_BISECT_INPUTAXIS_H

#include "lib/Bisect/Runner.h"

#include <functional>
#include <optional>

namespace mica::bisect {

struct InputSlice {
  Entry entry;                   ///< with the inputs that are left
  std::vector<std::string> kept; ///< one per input: "input 0: [3, 0 to 7] of 32x32xf32, 0 elsewhere"
  Outcome expected, actual;
};

/// `written` is the program as written; `run` runs the form of it that goes wrong. Nothing where the program takes no
/// inputs, the reference evaluator does not take it, or all elements are needed. Ends after `seconds`.
std::optional<InputSlice> sliceInputs(mlir::ModuleOp written, const Entry &entry, Runner &runner, double seconds,
                                      const std::function<Outcome(const Entry &)> &run);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_INPUTAXIS_H
