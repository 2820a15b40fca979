//===- CheckPasses.h - the first wrong pass -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: every recorded snapshot of an artifact is run by the reference lowering on the inputs of a run and compared
// with the reference, from the input down; the pass that made the first snapshot that differs is the first wrong one.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CHECKPASSES_H
#define MICA_LIB_RUNTOOL_CHECKPASSES_H

#include "lib/RunTool/Checks.h"

namespace mica::runtool {

/// Prints a line per snapshot and the verdict. `results` are those of the program as compiled, for the case that every
/// snapshot is right. Fails where there is no compiler or no record. Cost: a plain compile and a run per snapshot that
/// differs from the one before, in a process of its own, up to the first wrong one.
Result<CheckOutcome> checkPasses(const Options &options, const std::filesystem::path &artifact,
                                 const artifact::EntryRecord &entry, const RunFolder &run,
                                 std::span<const HostTensor> results);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CHECKPASSES_H
