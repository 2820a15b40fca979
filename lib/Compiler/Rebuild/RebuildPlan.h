//===- RebuildPlan.h - the passes to run after an edit ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads the pipeline from the record; without a record only phase lowered is known, from the options of the compile.
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
  std::filesystem::path folder; ///< for the record of the passes that run again

  /// The pipeline of the passes at positions (after, last].
  std::string range(int after, int last) const;
  /// A recorder like that of the compile; null without a record.
  std::unique_ptr<PassRecorder> makeRecorder() const;
};

/// Errors: Damaged.
Result<RecordedPlan> readPlan(const artifact::Artifact &artifact, std::filesystem::path folder);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_REBUILDPLAN_H
