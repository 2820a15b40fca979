//===- Verdict.h - what a bisection ends with ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: one verdict with its evidence, for the terminal, the report and verdict.json.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_VERDICT_H
#define MICA_LIB_BISECT_VERDICT_H

#include "lib/Bisect/Outcome.h"
#include "lib/Bisect/Runner.h"

#include <optional>
#include <string>
#include <vector>

namespace mica::bisect {

/// How the program goes wrong after a pass.
enum class Fault {
  None,
  Differs,   ///< other numbers, or another text
  Crashes,   ///< the program ends by a signal, or does not end
  Undefined, ///< the pass brings undefined behavior into a program that had none
};

/// The pass that is to blame, and the program before and after it.
struct Culprit {
  int64_t position = 0; ///< from 1
  int64_t passes = 0;   ///< of the pipeline
  std::string pass;
  std::string occurrence;             ///< "the 2nd of 3", or ""
  std::string pipeline;               ///< that runs the pass alone: "builtin.module(func.func(cse))"
  std::string remaining;              ///< the pipeline after it
  std::vector<std::string> flags;     ///< that run the pass alone, of a compiler driven by commands; else none
  std::vector<std::string> functions; ///< that it changed
  std::string before, after;          ///< IR, reduced where that succeeded
  int64_t opsGiven = 0, opsReduced = 0, attempts = 0;
  bool isInLines = false; ///< these count lines, of a text that was not parsed
  Fault fault = Fault::Differs;
  std::string why; ///< "line 2: got 7, expected 0"
  /// Of `before` and `after`, where they were reduced; else the verdict's are.
  std::optional<Outcome> expected, actual;
  /// The fault in a function that takes inputs and gives results, where that is smaller than a program that prints.
  std::string smallest;
  int64_t opsSmallest = 0;
};

struct Verdict {
  enum class Kind { Same, Rounding, Inconclusive, Crash, Miscompile, Undefined, Nondeterministic };
  Kind kind = Kind::Inconclusive;
  std::string headline; ///< what follows "verdict: "
  std::optional<Culprit> culprit;
  std::optional<Outcome> expected, actual;
  std::optional<FoundPlace> origin, visible; ///< of undefined behavior
  std::vector<std::string> evidence;         ///< a sentence each: what was tried, what it gave
  std::vector<std::string> ruledOut;         ///< a sentence each
};

/// "miscompile", "undefined behavior", ...
std::string kindName(Verdict::Kind kind);
/// 0 for same and rounding, 1 for inconclusive, 3 else.
int exitCodeOf(Verdict::Kind kind);

/// For the terminal; ends with a newline.
std::string describe(const Verdict &verdict);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_VERDICT_H
