//===- NanOrigin.h - finding the origin of a NaN in a fused kernel ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: nan-check reports the kernel; the reference evaluator finds the operation among those fused into it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_NANORIGIN_H
#define MICA_LIB_RUNTOOL_NANORIGIN_H

#include "lib/RunTool/Options.h"
#include "lib/RunTool/RunFolder.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <filesystem>

namespace mica::runtool {

/// `error`, extended, if it is nan-check's for a kernel of several operations, by the first operation of the program
/// that has such a value when mica-compile evaluates it on the same inputs. `error` unchanged if there is no compiler,
/// or no such operation.
Error withNanOrigin(const Options &options, const std::filesystem::path &artifact, const artifact::Manifest &manifest,
                    const artifact::EntryRecord &entry, const RunFolder &run, Error error);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_NANORIGIN_H
