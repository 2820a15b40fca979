//===- Doctor/Cases.h - the faults that mica-run --doctor plants -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. The programs are tools/mica-run/Doctor/doctor.mlir, and simulated.mlir for the simulator; their operations
// that can go wrong have positions of their own making.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DOCTOR_CASES_H
#define MICA_LIB_RUNTOOL_DOCTOR_CASES_H

#include "mica/Support/HostTensor.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtool::doctor {

/// An argument: `fill` everywhere, but `value` at element `at` where that is not -1.
struct Argument {
  DType dtype;
  std::vector<int64_t> shape;
  double fill = 0;
  int64_t at = -1;
  double value = 0;

  HostTensor tensor() const;
  /// As --input takes it: "4xi64=1,1,8,1". For small ones.
  std::string spec() const;
};

/// An entry with inputs on which it goes wrong, and with others on which it does not.
struct Case {
  std::string_view name; ///< "index -1"
  std::string_view entry;
  std::vector<Argument> faulty, clean;
  std::string_view op;    ///< what the report has to name: "memref.store"
  std::string_view place; ///< and its position: file "planted-scatter", line 1
  int64_t line = 1;
  std::string_view says;          ///< words that the message has to have, "" where none
  std::string_view switches = ""; ///< beside the detector's
};

/// How a detector is tried.
enum class Way {
  Run,       ///< the run has to fail with the operation's name
  Simulated, ///< the same of a kernel in the simulator, which has to say it in one line
  OpLog,     ///< and the op log has to have a line of the launch that failed
  Hang,      ///< in a process of its own, which has to end with exit code 4 and leave a ledger that says what ran
  Crash,     ///< in a process of its own, which dies and has to leave such a ledger
};

struct Detector {
  std::string_view name;
  std::string_view watches; ///< one line
  Way way = Way::Run;
  std::string_view switches; ///< that turn it on; the user's own settings count more
  /// The weakest assert-level with which code has its checks; "" where it needs none.
  std::string_view level;
  std::vector<Case> cases;
  std::string_view costEntry; ///< on which its cost is measured, "" for a chain of small launches
  bool shadows = false;       ///< needs code that knows what was written: uninitialized-read-check
  /// Of sim-check, with which code of the simulator has its checks; "" where it needs none.
  std::string_view simCheck = {};
};

/// All of them, in the order of the table.
std::vector<Detector> detectors();
/// Those of the simulator.
std::vector<Detector> simDetectors();

} // namespace mica::runtool::doctor

#endif // MICA_LIB_RUNTOOL_DOCTOR_CASES_H
