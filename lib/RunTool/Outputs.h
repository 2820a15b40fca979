//===- Outputs.h - the results of a run -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: implements --output and --outputs.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_OUTPUTS_H
#define MICA_LIB_RUNTOOL_OUTPUTS_H

#include "lib/RunTool/Options.h"
#include "mica/Artifact/Manifest.h"

#include <span>
#include <string>

namespace mica::runtool {

/// The name of result `i` in a file of named tensors.
std::string resultName(const artifact::EntryRecord &entry, size_t i);

/// Checks that the flags match the entry, before anything runs.
Status checkOutputs(const Options &options, const artifact::EntryRecord &entry);

/// Writes results to their files, one file per archive, and prints the others.
Status writeOutputs(const Options &options, const artifact::EntryRecord &entry, std::span<const HostTensor> results);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_OUTPUTS_H
