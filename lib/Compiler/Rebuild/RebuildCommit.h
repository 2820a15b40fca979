//===- RebuildCommit.h - new files of an artifact, put in place of the old ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A build of edited files happens in the user's folder: editors have files of it open, shells stand in it. So new files
// are made in .orig/building and renamed into their places one by one, the manifest last. When all of them are whole a
// journal says so; a build that is ended before leaves the last one, and one that is ended after is put in place by
// whoever opens the artifact next (artifact::placeBuiltFiles).
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
  /// Takes the lock of the artifact in `home`, waiting for a build of another process, and empties the staging folder.
  /// The artifact is to be opened after this. Errors: Io, NotFound where it has no originals.
  static Result<RebuildCommit> create(const std::filesystem::path &home);

  RebuildCommit(RebuildCommit &&) = default;
  /// Removes the staging folder, unless a build that is done still has to be put in place from it.
  ~RebuildCommit();

  const std::filesystem::path &staging() const { return folder; }

  /// Puts the compiler's own version of the file `path` back. Errors: NotFound with the nearest name.
  Status restore(const std::string &path);
  /// The compiler's own version of the file `path`: from the pack, or a packed snapshot. Errors: NotFound, Damaged.
  Result<std::string> originalOf(const std::string &path) const;
  Status readSnapshotOriginals() const;
  /// Puts every file back as the compiler wrote it, and removes what builds of edits added. Returns the number of files
  /// that were different.
  Result<size_t> restoreAll();
  /// The files that builds before this one were made from.
  void noteEarlierEdits(const artifact::Manifest &manifest);
  /// Notes what the edited files hold before they are read.
  Status begin(const std::vector<artifact::Edit> &edits);
  /// A file or snapshot of the artifact that is no more.
  void remove(const std::string &name) { removed.push_back(name); }
  /// Whether the file, or one in the folder `name`, was edited by hand in an earlier build.
  bool isEdited(const std::string &name) const;

  /// Puts everything in place. Refused where an edited file was edited again meanwhile.
  Status finish(ArtifactFiles &files, const std::vector<artifact::Edit> &edits);

private:
  RebuildCommit(std::filesystem::path home, FileDescriptor lock)
      : home(std::move(home)), folder(this->home / artifact::kBuildingFolder), lock(std::move(lock)) {}

  /// The record of the packed snapshot `path` as the compiler wrote it; null for other files.
  const artifact::FileRecord *packedOriginal(const std::string &path) const;
  /// Before the packed snapshot `path` is replaced: puts it aside where it is the compiler's.
  Status keepPacked(const std::string &path) const;
  Status restoreConstants(const std::string &index, std::vector<std::string> &files);
  /// Writes the journal of the files in the staging folder, and puts them in place.
  Status place(const std::vector<std::string> &files, const std::vector<std::string> &gone);

  std::filesystem::path home, folder;
  FileDescriptor lock;
  mutable std::map<std::string, std::string> originals; ///< by path; those of plain snapshots once they are asked for
  mutable bool hasSnapshotOriginals = false;
  artifact::Manifest compiled; ///< as the compiler wrote it, with the hashes of snapshots that are unpacked
  std::map<std::string, std::string> editedFiles; ///< hash by path, when the build began
  std::vector<std::string> removed, editedBefore;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_REBUILDCOMMIT_H
