//===- Record.h - Mica's record, for pass managers of other compilers --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One call makes a compiler outside of Mica write the record that mica-report, mica-diff, mica-bisect and
// mica-opt --resume read. docs/Recording.md has an example.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORD_RECORD_H
#define MICA_COMPILER_RECORD_RECORD_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace mica {

/// Records each pass that `pm` runs in `folder`: the state before the first one, what each pass changed, its time and
/// remarks; of a pass that fails its input, and the command that runs it alone (PassRecorder.h has the files).
///
/// `pm` must be complete. The record is complete when `pm` is destroyed; if it cannot be written, that is a warning of
/// the context. A folder that is there is written into: give each pass manager its own. `compiler` is the name that
/// reports show.
///
/// Costs a walk over the IR per pass, and a snapshot if the pass changed something.
void record(mlir::PassManager &pm, llvm::StringRef folder, llvm::StringRef compiler = "");

} // namespace mica

#endif // MICA_COMPILER_RECORD_RECORD_H
