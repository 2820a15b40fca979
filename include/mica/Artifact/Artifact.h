//===- Artifact.h - reading an artifact folder -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Opens a folder as an artifact. Opening reads manifest.json and host/tasks.json, and checks that the files that a run
// needs exist and have the right size; contents are hashed only on demand, since artifacts may have gigabytes.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_ARTIFACT_H
#define MICA_ARTIFACT_ARTIFACT_H

#include "mica/Artifact/BuildRecord.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {

/// The state of a file, compared with its record in the manifest.
enum class FileState { Same, Edited, Missing };

/// A file that differs from what the compiler wrote.
struct FileChange {
  std::string path; ///< relative to the artifact
  FileState state = FileState::Same;
};

/// True when `folder` has a manifest.json, readable or not.
bool isArtifact(const std::filesystem::path &folder);

/// Succeeds if an artifact may be written to `folder`: it does not exist, is empty, or (with `force`) is an artifact.
/// All other folders are rejected, so that a wrong -o never removes a user's files.
Status checkReplaceable(const std::filesystem::path &folder, bool force);

/// The position of entry `name`; "" means the only one, or `main`. NotFound: the message lists the entries, the hint
/// the nearest.
Result<size_t> findEntry(const Manifest &manifest, std::string_view name);

/// An opened artifact. Its files stay on disk.
class Artifact {
public:
  /// Errors: NotFound (no such folder, not an artifact, a file is missing), Damaged, Unsupported (newer schema), Io.
  /// Each names the file, what was expected and what to try.
  static Result<Artifact> open(const std::filesystem::path &folder);
  /// The same for a folder with texts alone, as in a trace, where code and weights may be missing.
  static Result<Artifact> openTexts(const std::filesystem::path &folder);

  const std::filesystem::path &folder() const { return root; }
  const Manifest &manifest() const { return info; }
  const std::vector<TaskList> &taskLists() const { return lists; }
  /// How the artifact was made; empty if there is no build.json.
  const BuildRecord &build() const { return made; }
  /// The path of the source file `name`, which positions of the manifest name without its folder if it is the program
  /// itself.
  std::string sourcePath(const std::string &name) const;
  /// hashHex() of the host/tasks.json that was read.
  const std::string &tasksHash() const { return hashOfTasks; }
  /// Whether host/tasks.json differs from what the compiler wrote.
  bool tasksEdited() const { return areTasksEdited; }
  /// The path of the file `relative` of the artifact.
  std::filesystem::path path(std::string_view relative) const { return root / relative; }

  /// Whether the text is compressed, without an edited plain file beside it.
  bool isPackedAway(const FileRecord &record) const;
  /// The hash of the text or file of `record` as it is now. Errors: NotFound, Io, Damaged.
  Result<std::string> hashText(const FileRecord &record) const;
  /// Hashes one file of the manifest and compares. Fails with NotFound where the manifest has no such file.
  Result<FileState> state(std::string_view relative) const;
  /// Hashes every file of the manifest, and returns those that differ from their records, in the manifest's order.
  Result<std::vector<FileChange>> changes() const;

private:
  static Result<Artifact> read(const std::filesystem::path &folder);

  std::filesystem::path root;
  Manifest info;
  std::vector<TaskList> lists;
  std::string hashOfTasks;
  BuildRecord made;
  bool areTasksEdited = false;
};

} // namespace mica::artifact

#endif // MICA_ARTIFACT_ARTIFACT_H
