//===- Files.h - reading and writing files and folders -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Files and folders are written atomically: a file or folder appears under its name complete, by one rename, or not at
// all, also if the process is killed. Errors name the file, the system's message and a hint.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_FILES_H
#define MICA_SUPPORT_FILES_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mica {

/// "cannot <verb> <path>: <errno as text>" with a suitable hint (disk full, no permission, missing folder). NotFound
/// for ENOENT, else Io. `verb`: "read", "write", ...
Error systemError(std::string_view verb, const std::filesystem::path &path, int errnoValue);

/// The contents of a file; "-" is the standard input.
Result<std::string> readFile(const std::filesystem::path &file);

/// Calls `take` with the contents of a file in pieces of at most 1 MiB.
Status readPieces(const std::filesystem::path &file, const std::function<void(std::string_view)> &take);

/// Creates or replaces a file in place: for files of a folder that no other process reads yet. Creates parent folders.
Status writeFile(const std::filesystem::path &file, std::string_view contents);
Status writeFile(const std::filesystem::path &file, std::initializer_list<std::string_view> pieces);

/// Creates or replaces a file atomically, by temporary file, fsync and rename; it is on the disk when this returns.
Status writeFileAtomic(const std::filesystem::path &file, std::string_view contents);
/// The same for the concatenation of `pieces`.
Status writeFileAtomic(const std::filesystem::path &file, std::initializer_list<std::string_view> pieces);
Status writeFileAtomic(const std::filesystem::path &file, std::span<const std::string_view> pieces);

/// Creates a folder and its parents; succeeds if it exists.
Status makeFolder(const std::filesystem::path &folder);
/// From here on makeFolder() never returns in this process. For a thread that removes a folder before it ends the
/// process while other threads still write to it, so that they do not create it again.
void stopMakingFolders();

/// A new folder in the system's temporary folder, removed with its contents on destruction.
class ScratchFolder {
public:
  /// `<temporary folder>/<prefix>-<random>`.
  static Result<ScratchFolder> create(std::string_view prefix);
  ScratchFolder(ScratchFolder &&other) noexcept : folder(std::exchange(other.folder, {})) {}
  ScratchFolder &operator=(ScratchFolder &&other) noexcept {
    folder.swap(other.folder);
    return *this;
  }
  ~ScratchFolder();
  const std::filesystem::path &path() const { return folder; }

private:
  ScratchFolder() = default;
  std::filesystem::path folder; ///< "" after a move
};

/// A folder that is filled under a temporary name beside its target and then renamed. The process holds a lock on it,
/// so that the next process can detect and remove the folder of a killed one.
class StagedFolder {
public:
  /// Creates the temporary folder `.<name>.tmp-<random>` beside `target` and removes abandoned ones. Creates parents of
  /// `target`. `kept`: entries of an existing `target` that are preserved: they move to the new folder, also if a
  /// process was killed before it had moved them. `target` itself is otherwise not modified.
  static Result<StagedFolder> create(const std::filesystem::path &target, std::vector<std::string> kept = {});
  StagedFolder(StagedFolder &&other) noexcept;
  StagedFolder &operator=(StagedFolder &&other) noexcept;
  /// Removes the temporary folder unless it was committed.
  ~StagedFolder();

  /// The temporary folder, for the files.
  const std::filesystem::path &path() const { return staging; }
  /// The final name: `target` as given to create, made absolute, links resolved.
  const std::filesystem::path &target() const { return final; }

  /// Renames the folder to its target. An existing target is an error (InvalidInput) unless `replace`: then both are
  /// exchanged in one step, kept entries are moved, and the old folder is removed. On failure the old target is
  /// unchanged.
  Status commit(bool replace);
  /// The same, if `mayReplace` allows it; it is called whenever the target exists, again if another process creates it
  /// meanwhile. Its error is returned. If two processes commit concurrently, both succeed, and one complete folder
  /// remains.
  Status commitIf(const std::function<Status()> &mayReplace);

private:
  StagedFolder() = default;
  void discard();
  /// Moves the kept entries from the old folder, now at `former`, and removes the rest of it.
  Status removeFormer(const std::filesystem::path &former);

  std::filesystem::path staging, final;
  std::vector<std::string> kept;
  int lock = -1;
};

} // namespace mica

#endif // MICA_SUPPORT_FILES_H
