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

#include "lib/Bisect/Entry.h"
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

/// The one thing that a pass did to bring the fault: the application of a pattern, a fold, a common subexpression, or
/// a change of an op where a pass makes changes by itself. In code generation: a pass of LLVM's.
struct Step {
  enum class Kind { Unknown, Pattern, Fold, CommonSubexpression, Change, LLVMPass };
  Kind kind = Kind::Unknown;
  int64_t number = 0, count = 0; ///< of the steps of this kind, from 1; 0: not counted
  std::string name;              ///< of the pattern; "arith.subi: operand 0"; of LLVM's pass, "instcombine"
  std::string op, location;      ///< where it was made; `op` of LLVM's pass: the function
  std::string before, after;     ///< the function around it
  bool isOfMachine = false;      ///< of LLVM's pass: one of the code generator, and the texts are assembly
  std::string note;              ///< of Unknown: what was tried; else what else is known, or ""
};

/// The pass that is to blame, and the program before and after it.
struct Culprit {
  int64_t position = 0;               ///< from 1
  int64_t passes = 0;                 ///< of the pipeline
  std::string pass;                   ///< "": of code generation
  std::string phase;                  ///< of Mica's, where that is known
  std::string occurrence;             ///< "the 2nd of 3", or ""
  std::string pipeline;               ///< that runs the pass alone: "builtin.module(func.func(cse))"
  std::string preceding, remaining;   ///< the pipeline before and after it
  std::string relies;                 ///< the pass that has to run before it in one process; "": it is wrong alone
  std::string command;                ///< shows the fault, where mlir-opt does not; "": that does
  std::vector<std::string> flags;     ///< that run the pass alone, of a compiler driven by commands; else none
  std::vector<std::string> functions; ///< that it changed
  std::string kernel;                 ///< the one whose code is wrong; "" where that is not known
  std::string function;               ///< of several, the one whose change is wrong; "" where that is not known
  std::string before, after;          ///< IR, reduced where that succeeded
  std::optional<Entry> entry;         ///< of these, where it gives fewer results than that of the program
  int64_t opsGiven = 0, opsReduced = 0, attempts = 0;
  bool isReducedToTheEnd = true; ///< false: the time for it ended first
  bool isInLines = false;        ///< these count lines, of a text that was not parsed
  Fault fault = Fault::Differs;
  std::string why; ///< "line 2: got 7, expected 0"
  /// Of `before` and `after`, where they were reduced; else the verdict's are.
  std::optional<Outcome> expected, actual;
  /// The fault in a function that takes inputs and gives results, where that is smaller than a program that prints.
  std::string smallest;
  int64_t opsSmallest = 0;
  /// The program as written that was reduced, where `before` is what the passes before make of it; else "".
  std::string source;
  int64_t opsSource = 0;
  std::optional<Step> step;        ///< none: not looked for
  std::vector<std::string> inputs; ///< a sentence each: the part of the input that suffices to show it
  std::optional<Entry> slice;      ///< with these inputs
};

struct Verdict {
  enum class Kind { Same, Rounding, Inconclusive, Crash, Miscompile, Undefined, Nondeterministic };
  Kind kind = Kind::Inconclusive;
  std::string headline; ///< what follows "verdict: "
  std::optional<Culprit> culprit;
  std::optional<Outcome> expected, actual;
  std::optional<FoundPlace> origin, visible; ///< of undefined behavior
  std::optional<FoundPlace> cause;           ///< an earlier op that makes the one at `origin` undefined, such as a free
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
