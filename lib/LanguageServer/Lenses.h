//===- Lenses.h - what an artifact says of the ops of a text ----------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds the artifact of a file, and in it what became of each op.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_LANGUAGESERVER_LENSES_H
#define MICA_LIB_LANGUAGESERVER_LENSES_H

#include "mica/Artifact/Artifact.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mica::languageserver {

/// An op at its place in the text.
struct Lens {
  int64_t line; ///< from 0
  std::string id, title;
};

/// Artifacts, each read again when its manifest changes.
class Artifacts {
public:
  /// The newest artifact of the very text; else the newest of an earlier text of the file. Looks in `build_output` and
  /// beside the file, the same in `roots`, and for the text in mica-run's cache. nullptr: none.
  std::shared_ptr<const artifact::Artifact> find(const std::filesystem::path &file, std::string_view text,
                                                 const std::vector<std::filesystem::path> &roots);

private:
  struct Known {
    std::filesystem::file_time_type time;
    std::shared_ptr<const artifact::Artifact> artifact; ///< nullptr: it cannot be read
  };
  Known read(const std::filesystem::path &folder);

  std::map<std::filesystem::path, Known> known; ///< by folder
};

/// A lens for each op of the file that the artifact knows. Those of an earlier text say so.
std::vector<Lens> lensesOf(const artifact::Artifact &artifact, const std::filesystem::path &file,
                           std::string_view text);

} // namespace mica::languageserver

#endif // MICA_LIB_LANGUAGESERVER_LENSES_H
