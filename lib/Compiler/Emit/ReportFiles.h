//===- ReportFiles.h - the files of report/ -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Collects decisions and their reasons from the record, the manifest and the task lists; docs/Artifact.md describes the
// files.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_REPORTFILES_H
#define MICA_LIB_COMPILER_EMIT_REPORTFILES_H

#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Record/PassRecorder.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// report/remarks.json: all remarks of passes, in pipeline order.
std::string printRemarksReport(const PassRecorder &recorder);

/// report/fusion.json: the ops of each dispatch, and why neighboring ones were not fused.
std::string printFusionReport(const PassRecorder &recorder, const artifact::Manifest &manifest);

/// report/memory.json: the place and live range, in tasks, of each buffer of each task list.
std::string printMemoryReport(const artifact::Manifest &manifest, const std::vector<artifact::TaskList> &lists);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_REPORTFILES_H
