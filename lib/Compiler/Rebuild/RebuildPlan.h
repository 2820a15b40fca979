//===- RebuildPlan.h - what of the pipeline follows an edited file ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipeline comes from the record; where there is none, only phase lowered is known, from the options of the
// compile.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_REBUILD_REBUILDPLAN_H
#define MICA_LIB_COMPILER_REBUILD_REBUILDPLAN_H

#include "mica/Artifact/Artifact.h"
#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Record/PassRecorder.h"

#include <filesystem>
#include <memory>
#include <string>

namespace mica::compiler {

/// The processor an artifact was compiled for.
Result<CodeTarget> targetOf(const artifact::Manifest &manifest);
/// -O of its compile.
int optLevelOf(const artifact::Manifest &manifest);

/// The passes of an artifact's compile.
struct RecordedPlan {
  bool hasRecord = false;
  std::string pipeline;
  int beforeKernel = 0;  ///< passes before phase kernel
  int beforeLowered = 0; ///< passes before phase lowered
  int count = 0;         ///< of all passes
  DumpMode mode = DumpMode::Off;
  std::filesystem::path folder; ///< where a recorder of what is run again writes

  /// The pipeline of passes after position `after` up to `last`.
  std::string range(int after, int last) const;
  /// Records passes that run again as those of the compile were; without a record, nothing.
  std::unique_ptr<PassRecorder> makeRecorder() const;
};

/// Errors: Damaged.
Result<RecordedPlan> readPlan(const artifact::Artifact &artifact, std::filesystem::path folder);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_REBUILDPLAN_H
