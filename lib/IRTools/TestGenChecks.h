//===- TestGenChecks.h - generating CHECK lines ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Generates the lines of a test from the IR before and after a pipeline: a label per changed function, the added,
// changed or moved ops with their operands and users, and the removed ops. Values and attribute aliases are captured.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_TESTGENCHECKS_H
#define MICA_LIB_IRTOOLS_TESTGENCHECKS_H

#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Document.h"

namespace mica::irtools {

/// CHECK lines that belong together.
struct CheckBlock {
  std::string symbol;             ///< of their function; "" for ops outside of functions
  std::vector<std::string> lines; ///< "// CHECK-LABEL: ..."
};

struct CheckOptions {
  bool everything = false; ///< check every line of every function, not only changes
};

/// Whether `op` has a name and a body, as func.func and mica_sched.task_list have.
bool isFunctionLike(mlir::Operation *op);

/// Blocks in the order of the text of `after`, which was printed with names that are unique in the text.
std::vector<CheckBlock> makeChecks(const Document &before, const Document &after, const ModuleDiff &diff,
                                   const CheckOptions &options);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_TESTGENCHECKS_H
