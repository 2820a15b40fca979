//===- Judgement.cpp - whether a form of the program is right -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Judgement.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Judgement.h"

using namespace mica;
using namespace mica::bisect;

Judgement bisect::wrongJudgement(Fault fault, std::string why, Outcome outcome) {
  Judgement result;
  result.is = Is::Wrong;
  result.fault = fault;
  result.why = std::move(why);
  result.outcome = std::move(outcome);
  return result;
}

Judgement bisect::judgeOutcome(Outcome outcome, const Outcome &baseline) {
  Judgement result;
  if (outcome.status == Outcome::Status::Refused) {
    result.why = outcome.message;
    return result;
  }
  const Agreement agreement = compareOutcomes(outcome, baseline);
  if (agreement.kind == Agreement::Kind::Different)
    return wrongJudgement(outcome.ran() ? Fault::Differs : Fault::Crashes, agreement.text, std::move(outcome));
  result.is = Is::Right;
  result.isRounded = agreement.kind == Agreement::Kind::Rounding;
  result.why = agreement.text;
  result.outcome = std::move(outcome);
  return result;
}
