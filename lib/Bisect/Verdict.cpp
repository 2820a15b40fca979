//===- Verdict.cpp - what a bisection ends with -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Verdict.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Verdict.h"

#include "lib/Bisect/Occurrence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace mica;
using namespace mica::bisect;

std::string bisect::kindName(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Same:
    return "same";
  case Verdict::Kind::Rounding:
    return "rounding";
  case Verdict::Kind::Inconclusive:
    return "inconclusive";
  case Verdict::Kind::Crash:
    return "crash";
  case Verdict::Kind::Miscompile:
    return "miscompile";
  case Verdict::Kind::Undefined:
    return "undefined behavior in the program";
  case Verdict::Kind::Nondeterministic:
    return "nondeterministic";
  }
  return "";
}

int bisect::exitCodeOf(Verdict::Kind kind) {
  if (kind == Verdict::Kind::Same || kind == Verdict::Kind::Rounding)
    return 0;
  return kind == Verdict::Kind::Inconclusive ? 1 : 3;
}

static void addBlock(std::string &text, const std::string &title, llvm::StringRef lines) {
  text += "  " + title + "\n";
  for (llvm::StringRef line : llvm::split(lines.rtrim(), '\n'))
    text += "    " + line.str() + "\n";
}

static std::string placeLine(const FoundPlace &place) {
  std::string text = place.location.empty() ? "" : place.location + ": ";
  text += place.op.empty() ? place.what : "'" + place.op + "': " + place.what;
  return text;
}

std::string bisect::describe(const Verdict &verdict) {
  std::string text;
  if (verdict.origin)
    addBlock(text, "it begins at", placeLine(*verdict.origin));
  if (verdict.cause)
    addBlock(text, "because of", placeLine(*verdict.cause));
  if (verdict.visible && !verdict.visible->op.empty())
    addBlock(text, "it becomes visible at", placeLine(*verdict.visible));
  if (verdict.culprit && !verdict.culprit->why.empty())
    addBlock(text, "difference", verdict.culprit->why);
  if (verdict.culprit && verdict.culprit->step) {
    const Step &step = *verdict.culprit->step;
    addBlock(text, "step inside the pass", stepText(step));
    if (!step.before.empty())
      addBlock(text, "before it", step.before);
    if (!step.after.empty())
      addBlock(text, "after it", step.after);
  }
  if (verdict.culprit && !verdict.culprit->inputs.empty())
    addBlock(text, "inputs that suffice", llvm::join(verdict.culprit->inputs, "\n"));
  // Beside a reduced input stands what that computes.
  const bool isReduced = verdict.culprit && verdict.culprit->expected;
  if (const std::optional<Outcome> &expected = isReduced ? verdict.culprit->expected : verdict.expected)
    addBlock(text, "expected", summary(*expected));
  if (const std::optional<Outcome> &actual = isReduced ? verdict.culprit->actual : verdict.actual)
    addBlock(text, "actual", summary(*actual));
  if (verdict.culprit && verdict.culprit->opsReduced > 0)
    addBlock(text,
             "input of the pass, " + std::to_string(verdict.culprit->opsGiven) +
                 (verdict.culprit->isInLines ? " lines" : " ops") + " reduced to " +
                 std::to_string(verdict.culprit->opsReduced),
             verdict.culprit->before);
  if (verdict.culprit && !verdict.culprit->source.empty())
    addBlock(text,
             "the program that the passes before make it of, " + std::to_string(verdict.culprit->opsSource) + " ops",
             verdict.culprit->source);
  if (verdict.culprit && !verdict.culprit->isReducedToTheEnd)
    text += "  The time for the reduction ended before it did: the same call with --resume goes on.\n";
  if (verdict.culprit && !verdict.culprit->smallest.empty())
    addBlock(text, "with inputs and results, " + std::to_string(verdict.culprit->opsSmallest) + " ops",
             verdict.culprit->smallest);
  for (const std::string &line : verdict.evidence)
    text += "  " + line + "\n";
  for (const std::string &line : verdict.ruledOut)
    text += "  ruled out: " + line + "\n";
  return text + "verdict: " + kindName(verdict.kind) + (verdict.headline.empty() ? "" : ": " + verdict.headline) + "\n";
}
