//===- DumpTensors.h - the tensors of a dump for the page ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What a run with dump-tensors left, as the page of tensors reads it (Page/tensors.js names the columns).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_DUMPTENSORS_H
#define MICA_LIB_REPORT_ARTIFACT_DUMPTENSORS_H

#include "lib/Report/Artifact/Context.h"

#include <cstdint>
#include <filesystem>

namespace mica::report {

/// How many bytes of elements a report takes, of all runs.
inline constexpr int64_t kMostElementBytes = int64_t(32) << 20;

/// The dump in `run`, a folder of the artifact's runs; null where there is none that can be read, with a note if there
/// is one. With the elements if they are wanted (--with-tensors: they may be weights), while there is `room` for their
/// bytes, which is lowered.
Result<Json> dumpOf(ArtifactContext &context, const std::filesystem::path &run, int64_t &room);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_DUMPTENSORS_H
