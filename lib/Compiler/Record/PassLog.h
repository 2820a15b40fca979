//===- PassLog.h - topic passes of MICA_LOGS ------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: what passes did, as messages.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_PASSLOG_H
#define MICA_LIB_COMPILER_RECORD_PASSLOG_H

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>

namespace mica::compiler {

/// What a pass did to one op.
struct PassRan {
  std::string pass, on; ///< "cse", "main": the symbol, "" where the op has none
  double milliseconds = 0;
  bool failed = false, changed = false;
  int64_t opsBefore = 0, opsAfter = 0; ///< after: not counted where it failed
};
/// Who else wants to know: hears where a pass begins ('B', with `pass` and `on` alone) and ends ('E'), on the pass's
/// thread. Calls come from one thread at a time.
using PassListener = std::function<void(const PassRan &, char)>;

/// Says of each pass that `pm` runs, under topic passes, how long it took and whether it changed what it ran on: those
/// that did at level info, the others at debug. Adds nothing where nobody listens, by the topic or as `listener`; else
/// looks at the program before and after each pass. Times are of the pass with all it waits for.
void logPasses(mlir::PassManager &pm, PassListener listener = {});

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_PASSLOG_H
