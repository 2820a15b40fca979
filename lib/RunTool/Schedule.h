//===- Schedule.h - other orders of the tasks ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: --schedule. Where results depend on the order, the orders between that of the lists and the one that was
// asked for are searched for the two tasks whose swap changes the results.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_SCHEDULE_H
#define MICA_LIB_RUNTOOL_SCHEDULE_H

#include "lib/RunTool/Options.h"
#include "lib/RunTool/RunFolder.h"
#include "mica/Runtime/Context.h"
#include "mica/Runtime/Program.h"

#include <memory>
#include <span>

namespace mica::runtool {

/// Makes the tasks of contexts with these options run in the order of options.schedule, if there is one.
void applySchedule(const Options &options, const runtime::Program &program, runtime::ContextOptions &context);

/// Runs the entry in the order of the lists, compares the bits of its results with `results`, those of
/// options.schedule, and prints the verdict: where they differ, the two tasks, the memory that they share, and the file
/// in the run folder that repeats the order. Gives whether they are the same.
Result<bool> checkSchedule(const Options &options, const std::shared_ptr<const runtime::Program> &program, size_t entry,
                           std::span<const runtime::TensorView> inputs, std::span<const HostTensor> results,
                           const RunFolder &run);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_SCHEDULE_H
