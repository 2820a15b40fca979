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

#ifndef MICA_LIB_COMPILER_PASSLOG_H
#define MICA_LIB_COMPILER_PASSLOG_H

#include "mlir/Pass/PassManager.h"

namespace mica::compiler {

/// Says of each pass that `pm` runs, under topic passes, how long it took and whether it changed what it ran on: those that did
/// at level info, the others at debug. Adds nothing where nobody listens; else looks at the program before and after each pass.
/// Times are of the pass with all it waits for.
void logPasses(mlir::PassManager &pm);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PASSLOG_H
