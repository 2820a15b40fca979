//===- Doctor/Cases.h - planted faults of mica-run --doctor ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. The programs are tools/mica-run/Doctor/doctor.mlir, and simulated.mlir for the simulator; their faulty
// operations have artificial source positions.
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

/// An argument: `fill` everywhere, except `value` at element `at` if that is not -1.
struct Argument {
  DType dtype;
  std::vector<int64_t> shape;
  double fill = 0;
  int64_t at = -1;
  double value = 0;

  HostTensor tensor() const;
  /// In the form of --input: "4xi64=1,1,8,1". For small arguments.
  std::string spec() const;
};

/// An entry with inputs on which it fails, and inputs of a clean twin.
struct Case {
  std::string_view name; ///< "index -1"
  std::string_view entry;
  std::vector<Argument> faulty, clean;
  std::string_view op;    ///< the operation that the report must name: "memref.store"
  std::string_view place; ///< and its position: file "planted-scatter", line 1
  int64_t line = 1;
  std::string_view says;          ///< text that the message must contain, "" if none
  std::string_view switches = ""; ///< in addition to the detector's
};

/// How a detector is tested.
enum class Method {
  Run,       ///< the run must fail with the operation's name
  Simulated, ///< the same for a kernel in the simulator, which must report it in one line
  OpLog,     ///< additionally the op log must have a line for the failed launch
  Hang,      ///< in a child process, which must end with exit code 4 and leave a ledger with the running kernel
  Crash,     ///< in a child process, which crashes and must leave such a ledger
};

struct Detector {
  std::string_view name;
  std::string_view watches; ///< description in one line
  Method method = Method::Run;
  std::string_view switches; ///< that enable it; the user's own settings take precedence
  /// The lowest assert-level with which code has its checks; "" if it needs none.
  std::string_view level;
  std::vector<Case> cases;
  std::string_view costEntry; ///< on which its cost is measured, "" for a chain of small launches
  bool shadows = false;       ///< needs code with shadow memory: uninitialized-read-check
  /// The sim-check value with which code of the simulator has its checks; "" if it needs none.
  std::string_view simCheck = {};
};

/// All of them, in the order of the table.
std::vector<Detector> detectors();
/// Those of the simulator.
std::vector<Detector> simDetectors();

} // namespace mica::runtool::doctor

#endif // MICA_LIB_RUNTOOL_DOCTOR_CASES_H
