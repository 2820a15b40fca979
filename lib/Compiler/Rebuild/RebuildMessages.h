//===- RebuildMessages.h - what a rebuild says ----------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_REBUILD_REBUILDMESSAGES_H
#define MICA_LIB_COMPILER_REBUILD_REBUILDMESSAGES_H

#include "mica/Artifact/Edits.h"
#include "mica/Artifact/Manifest.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace mica::compiler {

class ArtifactFiles;

/// What a rebuild made.
struct Rebuilt {
  std::set<std::string> kernels; ///< that got new code
  std::string deviceNote;        ///< about device binaries
  bool hasNewObjects = false;    ///< program.so is linked again
};

/// "(f32[4x8] read, ...; 2 scalars)".
std::string signatureOf(const artifact::KernelRecord &kernel);

/// "build_output/m: rebuilt from kernels/k/kernel.ll: kernel k, program.so; 9 other kernels unchanged; 0.05 s".
std::string summaryOf(const Rebuilt &rebuilt, const std::filesystem::path &folder,
                      const std::vector<artifact::Edit> &edits, const ArtifactFiles &files, double seconds);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_REBUILDMESSAGES_H
