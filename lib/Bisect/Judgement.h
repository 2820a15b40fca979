//===- Judgement.h - whether a form of the program is right -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: what a run says of the form of the program that it is of.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_JUDGEMENT_H
#define MICA_LIB_BISECT_JUDGEMENT_H

#include "lib/Bisect/Halving.h"
#include "lib/Bisect/Outcome.h"
#include "lib/Bisect/Verdict.h"

#include <string>

namespace mica::bisect {

struct Judgement {
  Is is = Is::Unknown;
  Fault fault = Fault::None;
  bool isRounded = false;
  Outcome outcome;
  std::string why; ///< of one that is wrong: the difference; unknown: why it cannot be run
};

/// `baseline` is what the program computes.
Judgement judgeOutcome(Outcome outcome, const Outcome &baseline);
/// One that is wrong, whatever it computes.
Judgement wrongJudgement(Fault fault, std::string why, Outcome outcome = {});

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_JUDGEMENT_H
