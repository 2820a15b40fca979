//===- Doctor/Costs.h - measuring the cost of detectors --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DOCTOR_COSTS_H
#define MICA_LIB_RUNTOOL_DOCTOR_COSTS_H

#include "lib/RunTool/Doctor/Trials.h"

namespace mica::runtool::doctor {

/// A mean with its 95 % confidence interval, from alternating pairs of runs with and without the detector.
struct Cost {
  bool perLaunch = false; ///< additional nanoseconds per launch; else the ratio of both times
  double mean = 0, low = 0, high = 0;
  int pairs = 0;

  /// "1.03x (1.01 to 1.05)", "150 ns a launch (141 to 159)".
  std::string text() const;
};

/// The cost of the detector as the doctor enables it, independent of the user's switches. Takes a few tenths of a
/// second.
Result<Cost> costOf(const TestEnvironment &environment, const Detector &detector);

} // namespace mica::runtool::doctor

#endif // MICA_LIB_RUNTOOL_DOCTOR_COSTS_H
