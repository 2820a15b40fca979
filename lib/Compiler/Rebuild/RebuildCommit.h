//===- RebuildCommit.h - committing a rebuild ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A rebuild works in the user's folder, whose files may be open in editors and shells. So new files are made in
// .orig/building and renamed into place one by one, the manifest last. A journal is written when all of them are
// complete: a build that is killed before leaves the previous build; after a kill later, the next process that opens
// the artifact finishes the renames (artifact::placeBuiltFiles).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_REBUILD_REBUILDCOMMIT_H
#define MICA_LIB_COMPILER_REBUILD_REBUILDCOMMIT_H

#include "lib/Artifact/ArtifactLock.h"
#include "lib/Compiler/Emit/ArtifactFiles.h"
#include "mica/Artifact/Edits.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mica::compiler {

class RebuildCommit {
public:
  /// Locks the artifact in `home`, waiting for a build of another process, and empties the staging folder. The artifact
  /// must be opened after this. Errors: Io, NotFound if it has no originals.
  static Result<RebuildCommit> create(const std::filesystem::path &home);

  RebuildCommit(RebuildCommit &&) = default;
  /// Removes the staging folder, unless a finished build has not been moved into place yet.
  ~RebuildCommit();

  const std::filesystem::path &staging() const { return folder; }

  /// Restores the compiler's version of the file `path`. Errors: NotFound with the nearest name.
  Status restore(const std::string &path);
  /// The compiler's version of the file `path`: from the archive, or a packed snapshot. Errors: NotFound, Damaged.
  Result<std::string> originalOf(const std::string &path) const;
  Status readSnapshotOriginals() const;
  /// Restores the compiler's version of every file, and removes files that rebuilds added. Returns the number of
  /// changed files.
  Result<size_t> restoreAll();
  /// Reads from the manifest which files were edited in earlier builds.
  void noteEarlierEdits(const artifact::Manifest &manifest);
  /// Hashes the edited files before they are read.
  Status begin(const std::vector<artifact::Edit> &edits);
  /// Removes a file or snapshot from the artifact.
  void remove(const std::string &name) { removed.push_back(name); }
  /// Whether the file `name`, or one in the folder `name`, was edited by hand in an earlier build.
  bool isEdited(const std::string &name) const;

  /// Moves everything into place. Fails if an edited file was edited again meanwhile.
  Status finish(ArtifactFiles &files, const std::vector<artifact::Edit> &edits);

private:
  RebuildCommit(std::filesystem::path home, FileDescriptor lock)
      : home(std::move(home)), folder(this->home / artifact::kBuildingFolder), lock(std::move(lock)) {}

  /// The record of the packed snapshot `path` as the compiler wrote it; null for other files.
  const artifact::FileRecord *packedOriginal(const std::string &path) const;
  /// Before the packed snapshot `path` is replaced: keeps it if it is the compiler's version.
  Status keepPacked(const std::string &path) const;
  Status restoreConstants(const std::string &index, std::vector<std::string> &files);
  /// Writes the journal for the files in the staging folder, and moves them into place.
  Status place(const std::vector<std::string> &files, const std::vector<std::string> &gone);

  std::filesystem::path home, folder;
  FileDescriptor lock;
  mutable std::map<std::string, std::string> originals; ///< by path; plain snapshots are added on demand
  mutable bool hasSnapshotOriginals = false;
  artifact::Manifest compiled;                    ///< as the compiler wrote it, with the hashes of unpacked snapshots
  std::map<std::string, std::string> editedFiles; ///< hash by path, at the start of the build
  std::vector<std::string> removed, editedBefore;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_REBUILDCOMMIT_H
