//===- Files.h - whole files and whole folders -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reading and writing such that a reader never sees half of anything: a file or folder appears under its name complete,
// by one rename, or not at all, also when the process is killed at any moment. Errors name the file, what the system
// said and what to try.
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

/// "cannot <verb> <path>: <errno in words>" with a hint that fits (disk full, no permission, missing folder). NotFound
/// for ENOENT, else Io. `verb`: "read", "write", ...
Error systemError(std::string_view verb, const std::filesystem::path &path, int errnoValue);

/// The contents of a file; "-" is the standard input.
Result<std::string> readFile(const std::filesystem::path &file);

/// Gives the contents of a file to `take` in pieces of at most 1 MiB.
Status readPieces(const std::filesystem::path &file, const std::function<void(std::string_view)> &take);

/// Creates or replaces a file in place: for files of a folder nobody else sees yet. Missing parent folders are made.
Status writeFile(const std::filesystem::path &file, std::string_view contents);
Status writeFile(const std::filesystem::path &file, std::initializer_list<std::string_view> pieces);

/// Creates or replaces a file by temporary file, fsync and rename: whole or not at all, and on the disk when it
/// returns.
Status writeFileAtomic(const std::filesystem::path &file, std::string_view contents);
/// The same for contents in pieces, one after the other.
Status writeFileAtomic(const std::filesystem::path &file, std::initializer_list<std::string_view> pieces);
Status writeFileAtomic(const std::filesystem::path &file, std::span<const std::string_view> pieces);

/// Makes a folder and its parents; one that exists is fine.
Status makeFolder(const std::filesystem::path &folder);
/// From here on makeFolder returns to nobody in this process. For a thread that removes a folder before it ends the
/// process, while others still write to it: what it has removed is not made again.
void stopMakingFolders();

/// A new folder of the system's temporary folder, removed with all that is in it.
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
  std::filesystem::path folder; ///< "" where it was moved from
};

/// A folder that is filled under a temporary name beside its target and then renamed. While it exists the process holds
/// a lock on it, so that what a killed process left behind is known as such and removed by the next one.
class StagedFolder {
public:
  /// Makes the temporary folder `.<name>.tmp-<random>` beside `target` and removes abandoned ones. Parents of `target`
  /// are made. `kept`: entries of `target` that belong to its name, not to what is replaced: they move to the new
  /// folder, also where a process was killed before it had moved them. `target` itself is not touched but for that.
  static Result<StagedFolder> create(const std::filesystem::path &target, std::vector<std::string> kept = {});
  StagedFolder(StagedFolder &&other) noexcept;
  StagedFolder &operator=(StagedFolder &&other) noexcept;
  /// Removes the temporary folder unless it was committed.
  ~StagedFolder();

  /// Where to write the files.
  const std::filesystem::path &path() const { return staging; }
  /// The name it will get: `target` as given to create, made absolute, links resolved.
  const std::filesystem::path &target() const { return final; }

  /// Renames the folder to its target. An existing target is an error (InvalidInput) unless `replace`, then both change
  /// places in one step, what is kept moves over, and the old one is removed. On failure the old target is as it was.
  Status commit(bool replace);
  /// The same, where `mayReplace` decides whenever there is a target: it is asked again where another process put one
  /// there meanwhile. Its error is returned. Of two processes that commit at once both succeed, and one folder is
  /// there, whole.
  Status commitIf(const std::function<Status()> &mayReplace);

private:
  StagedFolder() = default;
  void discard();
  /// Moves what is kept from the old folder, now at `former`, and removes the rest of it.
  Status removeFormer(const std::filesystem::path &former);

  std::filesystem::path staging, final;
  std::vector<std::string> kept;
  int lock = -1;
};

} // namespace mica

#endif // MICA_SUPPORT_FILES_H
