//===- Doctor/Costs.h - what a detector costs on this machine --------------------------------------------===//
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

/// A mean with its 95 % interval, from pairs of runs with the detector and without, in turns.
struct Cost {
  bool perLaunch = false; ///< nanoseconds that a launch takes longer; else time with it over time without
  double mean = 0, low = 0, high = 0;
  int pairs = 0;

  /// "1.03x (1.01 to 1.05)", "150 ns a launch (141 to 159)".
  std::string text() const;
};

/// Of the detector as the doctor turns it on, whatever the user's switches are. Takes a few tenths of a second.
Result<Cost> costOf(const Ward &ward, const Detector &detector);

} // namespace mica::runtool::doctor

#endif // MICA_LIB_RUNTOOL_DOCTOR_COSTS_H
