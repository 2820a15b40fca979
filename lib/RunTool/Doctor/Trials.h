//===- Doctor/Trials.h - one planted fault, or its clean twin --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: runs it and says what was seen.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DOCTOR_TRIALS_H
#define MICA_LIB_RUNTOOL_DOCTOR_TRIALS_H

#include "lib/RunTool/Doctor/Cases.h"
#include "mica/Runtime/Program.h"
#include "mica/Support/Switches.h"

#include <filesystem>
#include <memory>
#include <string>

namespace mica::runtool::doctor {

/// Where trials take place.
struct Ward {
  /// doctor.mlir with assert-level all and none, and with uninitialized-read-check.
  std::shared_ptr<const runtime::Program> checked, unchecked, shadowed;
  /// simulated.mlir with all checks of the simulator, and with none.
  std::shared_ptr<const runtime::Program> simulated, simulatedUnchecked;
  Switches switches;            ///< the user's
  std::filesystem::path folder; ///< for files of trials; removed afterwards
  int threads = 0;

  /// The program whose code has the checks of `detector`, as far as the user's switches allow it.
  const std::shared_ptr<const runtime::Program> &programFor(const Detector &detector) const;
  /// The user's switches, and where these leave it open `more`.
  Result<Switches> with(std::string_view more) const;
};

/// What came of a trial.
struct Verdict {
  bool alarm = false; ///< the detector said something
  bool named = false; ///< and it named operation and line
  std::string seen;   ///< in words, one line
  double seconds = 0; ///< until it was said
};

/// Runs `which` of `detector` with the inputs that are `faulty`, or the others; `sync`: one kernel at a time. Fails
/// where the trial could not be made at all.
Result<Verdict> attempt(const Ward &ward, const Detector &detector, const Case &which, bool faulty, bool sync);

} // namespace mica::runtool::doctor

#endif // MICA_LIB_RUNTOOL_DOCTOR_TRIALS_H
