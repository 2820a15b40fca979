//===- StagedFolder.cpp - atomically replaced folders ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// If the process is killed, there may be: (1) only a temporary folder, unlocked because its process is gone: the next
// StagedFolder with the same target removes it; (2) the new folder under its name and the old one under a temporary
// name: the same, after the kept entries of the old one were moved. On a file system that cannot exchange two names,
// there is a moment between two renames without a folder under the name, when both are complete under temporary names;
// the old one, recognized by its kept entries, is then renamed back.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Files.h"

#include "lib/Support/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica {
namespace {

/// Locks a temporary folder. Empty if another process has it or the folder is gone.
int lockFolder(const fs::path &folder) {
  FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!descriptor || ::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
    return -1;
  // Another process may have removed it between open and lock.
  struct stat held, named;
  if (::fstat(descriptor.get(), &held) != 0 || ::stat(folder.c_str(), &named) != 0 || held.st_ino != named.st_ino)
    return -1;
  return descriptor.release();
}

std::string temporaryPrefix(const fs::path &target) { return "." + target.filename().string() + ".tmp-"; }

int rename2(const fs::path &from, const fs::path &to, unsigned flags) {
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags));
}

/// Removes a folder, kept entries first: if the process is killed meanwhile, it leaves a complete folder, which may be
/// renamed back, or one without kept entries, which is removed.
void removeWhole(const fs::path &folder, const std::vector<std::string> &kept) {
  std::error_code ignored;
  for (const std::string &name : kept)
    fs::remove_all(folder / name, ignored);
  fs::remove_all(folder, ignored);
}

/// Moves the entries `kept` of `from` to `to`: as a whole, or if `to` has a folder of that name, the entries that it
/// lacks.
Status moveKept(const fs::path &from, const fs::path &to, const std::vector<std::string> &kept) {
  std::error_code error;
  auto move = [](const fs::path &source, const fs::path &place) {
    if (rename2(source, place, RENAME_NOREPLACE) == 0)
      return 0;
    // A file system without this flag: a race is possible but unlikely.
    std::error_code ignored;
    const int reason = errno;
    if (reason == EINVAL && fs::symlink_status(place, ignored).type() == fs::file_type::not_found)
      return ::rename(source.c_str(), place.c_str()) == 0 ? 0 : errno;
    return reason;
  };
  for (const std::string &name : kept) {
    if (!fs::exists(from / name, error))
      continue;
    const int reason = move(from / name, to / name);
    if (reason == 0)
      continue;
    if (reason == ENOENT)
      continue; // another process moved it
    if (reason != EEXIST && reason != EINVAL)
      return systemError("move", from / name, reason);
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(from / name, error), end; !error && it != end; it.increment(error))
      entries.push_back(it->path());
    for (const fs::path &entry : entries)
      if (const int failed = move(entry, to / name / entry.filename());
          failed != 0 && failed != EEXIST && failed != ENOENT)
        return systemError("move", entry, failed);
  }
  return {};
}

/// Removes temporary folders of `target` whose process is gone, after moving kept entries to `target`. Failures are
/// ignored: such a folder is left for the next time.
void removeAbandoned(const fs::path &target, const std::vector<std::string> &kept) {
  std::error_code error;
  const std::string prefix = temporaryPrefix(target);
  std::vector<fs::path> found;
  for (fs::directory_iterator it(target.parent_path(), error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(prefix))
      found.push_back(it->path());
  for (const fs::path &folder : found) {
    const FileDescriptor lock(lockFolder(folder));
    if (!lock)
      continue;
    const bool keeps = std::any_of(kept.begin(), kept.end(),
                                   [&](const std::string &name) { return fs::exists(folder / name, error); });
    if (keeps && !fs::exists(target, error) && ::rename(folder.c_str(), target.c_str()) == 0)
      continue;
    if (!keeps || moveKept(folder, target, kept))
      removeWhole(folder, kept);
  }
}

} // namespace

Result<StagedFolder> StagedFolder::create(const fs::path &target, std::vector<std::string> kept) {
  std::error_code error;
  StagedFolder folder;
  folder.final = fs::weakly_canonical(fs::absolute(target, error), error);
  if (folder.final.filename().empty())
    folder.final = folder.final.parent_path();
  if (error || folder.final.filename().empty())
    return systemError("use as a folder", target, error ? error.value() : EINVAL);
  if (fs::exists(folder.final, error) && !fs::is_directory(folder.final, error))
    return systemError("use as a folder", target, ENOTDIR);
  MICA_RETURN_IF_ERROR(makeFolder(folder.final.parent_path()));
  removeAbandoned(folder.final, kept);
  folder.kept = std::move(kept);
  for (int attempt = 0; attempt < 16 && folder.lock < 0; ++attempt) {
    folder.staging = folder.final.parent_path() / (temporaryPrefix(folder.final) + randomSuffix());
    if (::mkdir(folder.staging.c_str(), 0777) != 0) {
      const int reason = errno;
      if (reason != EEXIST)
        return systemError("make a folder in", folder.final.parent_path(), reason);
      continue;
    }
    folder.lock = lockFolder(folder.staging);
  }
  if (folder.lock < 0)
    return systemError("make a folder in", folder.final.parent_path(), EAGAIN);
  return folder;
}

StagedFolder::StagedFolder(StagedFolder &&other) noexcept
    : staging(std::exchange(other.staging, {})), final(std::move(other.final)), kept(std::move(other.kept)),
      lock(std::exchange(other.lock, -1)) {}

StagedFolder &StagedFolder::operator=(StagedFolder &&other) noexcept {
  if (this != &other) {
    discard();
    staging = std::exchange(other.staging, {});
    final = std::move(other.final);
    kept = std::move(other.kept);
    lock = std::exchange(other.lock, -1);
  }
  return *this;
}

StagedFolder::~StagedFolder() { discard(); }

void StagedFolder::discard() {
  std::error_code ignored;
  if (!staging.empty())
    fs::remove_all(staging, ignored);
  if (lock >= 0)
    ::close(lock);
  staging.clear();
  lock = -1;
}

Status StagedFolder::commit(bool replace) {
  return commitIf([&]() -> Status {
    if (replace)
      return {};
    return Error{ErrorCode::InvalidInput, final.string() + " exists already",
                 "use another folder, or --force to replace it"};
  });
}

Status StagedFolder::commitIf(const std::function<Status()> &mayReplace) {
  // Other processes may create or remove the folder between any two of these calls: the last one to commit wins.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    if (rename2(staging, final, RENAME_NOREPLACE) == 0) {
      staging.clear();
      discard();
      return {};
    }
    const int reason = errno;
    std::error_code error;
    const bool exists = fs::exists(final, error);
    if (!exists && reason != EINVAL && reason != ENOSYS) {
      if (reason == EEXIST || reason == ENOTEMPTY)
        continue;
      return systemError("write", final, reason);
    }
    if (exists)
      MICA_RETURN_IF_ERROR(mayReplace());
    // Under its temporary name the old folder is locked until it is removed.
    const FileDescriptor oldLock(exists ? lockFolder(final) : -1);
    if (exists && rename2(staging, final, RENAME_EXCHANGE) == 0)
      return removeFormer(std::exchange(staging, {}));
    if (exists && errno == ENOENT)
      continue;
    if (reason != EEXIST && reason != ENOTEMPTY && reason != EINVAL && reason != ENOSYS)
      return systemError("write", final, reason);
    // A file system without exchanging renames: the old folder is renamed first.
    const fs::path aside = final.parent_path() / (temporaryPrefix(final) + randomSuffix());
    if (exists && ::rename(final.c_str(), aside.c_str()) != 0) {
      if (errno == ENOENT)
        continue;
      return systemError("replace", final, errno);
    }
    if (::rename(staging.c_str(), final.c_str()) != 0) {
      const int failed = errno;
      const Error failure = systemError("write", final, failed);
      if (failed == EEXIST || failed == ENOTEMPTY) {
        // Another process has created the target meanwhile, which replaces the folder that was renamed.
        if (exists)
          MICA_RETURN_IF_ERROR(moveKept(aside, final, kept));
        if (exists)
          removeWhole(aside, kept);
        continue;
      }
      if (exists && ::rename(aside.c_str(), final.c_str()) != 0)
        return Error{failure.code, failure.message, "the former folder is now " + aside.string()};
      return failure;
    }
    staging.clear();
    if (exists)
      return removeFormer(aside);
    discard();
    return {};
  }
  return systemError("write", final, EBUSY);
}

Status StagedFolder::removeFormer(const fs::path &former) {
  Status moved = moveKept(former, final, kept);
  if (moved)
    removeWhole(former, kept);
  discard();
  if (!moved)
    return Error{moved.error().code, moved.error().message,
                 final.string() + " is the new folder; what was to be kept is in " + former.string() +
                     ", and the next attempt moves it"};
  return {};
}

} // namespace mica
