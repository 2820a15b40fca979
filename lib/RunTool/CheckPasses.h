//===- CheckPasses.h - finding the first wrong pass ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: runs every recorded snapshot of an artifact by the reference lowering on the inputs of a run and compares it
// with the reference, from the input on; the pass of the first snapshot that differs is the first wrong one.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CHECKPASSES_H
#define MICA_LIB_RUNTOOL_CHECKPASSES_H

#include "lib/RunTool/Checks.h"

namespace mica::runtool {

/// Prints a line per snapshot and the verdict. `results` are those of the compiled program, in case every snapshot is
/// correct. Fails if there is no compiler or no record. Cost: a reference compile and a run per distinct snapshot, each
/// in a child process, up to the first wrong one.
Result<CheckOutcome> checkPasses(const Options &options, const std::filesystem::path &artifact,
                                 const artifact::EntryRecord &entry, const RunFolder &run,
                                 std::span<const HostTensor> results);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CHECKPASSES_H
