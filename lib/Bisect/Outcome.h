//===- Outcome.h - what came of running a program -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the results and the text of one run of one state of a program, and whether two of them agree.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_OUTCOME_H
#define MICA_LIB_BISECT_OUTCOME_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <string>
#include <vector>

namespace mica::bisect {

/// Of printed numbers without bounds: as f32 compares.
inline constexpr double kPrintedTolerance = 1e-5;

struct Outcome {
  enum class Status {
    Ran,
    Refused, ///< whatever was to run it does not take the program
    Failed,  ///< the program ended with an error, such as a failed assertion
    Crashed, ///< by a signal
    TimedOut,
  };
  Status status = Status::Refused;
  std::string message; ///< why it did not run to its end, in a line
  std::string printed;
  /// Of the entry, then what its buffer arguments hold in the end; `names` says which each is: "result 0".
  std::vector<HostTensor> results;
  std::vector<std::string> names;
  /// Of the reference evaluator alone: how far right numbers may be off, for each number printed and each result.
  bool hasBounds = false;
  std::vector<double> printedBounds;
  std::vector<HostTensor> bounds;

  bool ran() const { return status == Status::Ran; }
};

/// A text of it and back, for the cache and for children. A text that is no outcome gives one that is Refused.
std::string toText(const Outcome &outcome);
Outcome fromText(const std::string &text);

struct Agreement {
  enum class Kind { Same, Rounding, Different };
  Kind kind = Kind::Same;
  std::string text; ///< what differs most, or first: "line 2: got 7, expected 0"
};

/// Whether `actual` is what `expected` says: to the bit, up to what roundings explain (the bounds of `expected`, where
/// it has some, else the tolerances of mica-run --golden-data), or not.
Agreement compareOutcomes(const Outcome &actual, const Outcome &expected);

/// Whether two outcomes that are different differ by what no person takes for rounding: by more than a hundredth of a
/// number, or in something else than floats.
bool differsWidely(const Outcome &actual, const Outcome &expected);

/// The outcome in a few words, for people: what is printed, or the results.
std::string summary(const Outcome &outcome, size_t limit = 400);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_OUTCOME_H
