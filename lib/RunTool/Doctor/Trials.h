//===- Doctor/Trials.h - testing one planted fault, or its clean twin ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: runs a case and returns what was reported.
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

/// The environment of tests.
struct TestEnvironment {
  /// doctor.mlir with assert-level all and none, and with uninitialized-read-check.
  std::shared_ptr<const runtime::Program> checked, unchecked, shadowed;
  /// simulated.mlir with all checks of the simulator, and with none.
  std::shared_ptr<const runtime::Program> simulated, simulatedUnchecked;
  Switches switches;            ///< the user's
  std::filesystem::path folder; ///< for files of tests; removed afterwards
  int threads = 0;

  /// The program compiled with the checks of `detector`, as far as the user's switches allow it.
  const std::shared_ptr<const runtime::Program> &programFor(const Detector &detector) const;
  /// The user's switches, with `more` added where these leave them unset.
  Result<Switches> with(std::string_view more) const;
};

/// The result of a test.
struct Verdict {
  bool alarm = false; ///< the detector reported something
  bool named = false; ///< and it named the operation and line
  std::string seen;   ///< description, one line
  double seconds = 0; ///< until the report
};

/// Runs `which` of `detector` with its `faulty` inputs, or the clean ones; `sync`: one kernel at a time. Fails if the
/// test could not be run.
Result<Verdict> attempt(const TestEnvironment &environment, const Detector &detector, const Case &which, bool faulty,
                        bool sync);

} // namespace mica::runtool::doctor

#endif // MICA_LIB_RUNTOOL_DOCTOR_TRIALS_H
