//===- NanOrigin.h - the operation of a kernel in which a NaN originates-------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: nan-check tells the kernel; of several operations fused into it, the reference evaluator tells which.
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

/// `error`, and where it is nan-check's of a kernel of several operations, the first of the program that has such a
/// value when mica-compile evaluates it on the same inputs. `error` unchanged where there is no compiler, or no such
/// operation.
Error withNanOrigin(const Options &options, const std::filesystem::path &artifact, const artifact::Manifest &manifest,
                    const artifact::EntryRecord &entry, const RunFolder &run, Error error);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_NANORIGIN_H
