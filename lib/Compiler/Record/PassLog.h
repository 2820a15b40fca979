//===- PassLog.h - topic passes of MICA_LOGS ------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: topic passes of MICA_LOGS.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_PASSLOG_H
#define MICA_LIB_COMPILER_RECORD_PASSLOG_H

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace mica::compiler {

/// The effect of a pass on one op.
struct PassRan {
  std::string pass, on; ///< "cse", "main": the symbol, "" if the op has none
  double milliseconds = 0;
  bool failed = false, changed = false;
  int64_t opsBefore = 0, opsAfter = 0; ///< after: not counted if it failed
};
/// A callback for the begin ('B', with only `pass` and `on` set) and end ('E') of passes, on the pass's thread. Calls
/// are serialized.
using PassListener = std::function<void(const PassRan &, char)>;

/// Logs for each pass that `pm` runs how long it took and whether it changed its op: at level info if it did, else at
/// debug. Adds nothing if neither the topic is enabled nor `listener` is set; else fingerprints the program before and
/// after each pass. Times include waiting.
void logPasses(mlir::PassManager &pm, PassListener listener = {});

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_PASSLOG_H
