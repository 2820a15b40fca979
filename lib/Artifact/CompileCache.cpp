//===- CompileCache.cpp - the cache of compiled artifacts --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// There are two kinds of locks, both by flock, so that they end with the process that holds them:
//   <artifact>.lock   held while the artifact is made, by the requesting process and the one that writes; others wait
//   <artifact>/       the folder itself, shared by all users of the artifact; eviction needs it exclusively
// Artifacts are created and evicted by one rename each. On a file system without locks, two processes may compile the
// same artifact, and one may evict an artifact that another one uses; everything else works.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/CompileCache.h"

#include "lib/Artifact/CacheKey.h"
#include "lib/Support/FileDescriptor.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/Verify.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

constexpr int64_t kDefaultLimit = int64_t(4) << 30;
constexpr std::string_view kCountsFile = "statistics.txt";

/// "4G", "512M", "1000000"; 0: none.
Result<int64_t> parseSize(const std::string &text) {
  std::string_view digits = text;
  int shift = 0;
  if (!digits.empty())
    switch (digits.back()) {
    case 'k':
    case 'K':
      shift = 10;
      break;
    case 'm':
    case 'M':
      shift = 20;
      break;
    case 'g':
    case 'G':
      shift = 30;
      break;
    }
  if (shift)
    digits.remove_suffix(1);
  int64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0 || number > (INT64_MAX >> shift))
    return Error{ErrorCode::InvalidInput, "MICA_CACHE_SIZE=" + text + ": no size",
                 "a number of bytes, or with K, M or G behind it: MICA_CACHE_SIZE=4G; 0 for no bound"};
  return number << shift;
}

bool sameFile(int descriptor, const fs::path &path) {
  struct ::stat held = {}, named = {};
  return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

/// Opens and locks `path`, and ensures that it is still the locked file. -1: locked by another process (LOCK_NB), or an
/// error; see errno.
FileDescriptor lockPath(const fs::path &path, int openFlags, int operation) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    // A symbolic link in place of a lock file is not followed; one in place of a folder is.
    const int follow = openFlags & O_DIRECTORY ? 0 : O_NOFOLLOW;
    FileDescriptor descriptor(::open(path.c_str(), openFlags | follow | O_CLOEXEC, 0666));
    if (!descriptor)
      return FileDescriptor();
    int locked;
    do
      locked = ::flock(descriptor.get(), operation);
    while (locked != 0 && errno == EINTR);
    if (locked != 0)
      return FileDescriptor();
    // The file may have been removed or replaced between open and lock.
    if (sameFile(descriptor.get(), path))
      return descriptor;
  }
  errno = EAGAIN;
  return FileDescriptor();
}

FileDescriptor lockFolder(const fs::path &folder, int operation) {
  return lockPath(folder, O_RDONLY | O_DIRECTORY, operation);
}

/// Held while an artifact is made. Waits for other processes; its file is removed with it, so that only killed
/// processes leave one.
class CompileLock {
public:
  explicit CompileLock(const fs::path &artifact)
      : file(artifact.string() + ".lock"), lock(lockPath(file, O_RDWR | O_CREAT, LOCK_EX | LOCK_NB)) {
    if (*lock)
      return;
    if (errno == EWOULDBLOCK)
      MICA_LOG(Cache, Info) << "another process makes " << artifact.string() << ": waiting for it";
    FileDescriptor waited = lockPath(file, O_RDWR | O_CREAT, LOCK_EX);
    lock.emplace(std::move(waited));
  }
  ~CompileLock() {
    std::error_code ignored;
    if (*lock)
      fs::remove(file, ignored);
  }

  /// -1: the file system has no locks.
  int descriptor() const { return *lock ? lock->get() : -1; }

private:
  fs::path file;
  std::optional<FileDescriptor> lock;
};

int64_t bytesOf(const fs::path &folder) {
  int64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct ::stat info = {};
    if (::lstat(it->path().c_str(), &info) == 0)
      bytes += int64_t(info.st_blocks) * 512;
  }
  return bytes;
}

/// Sets the time of the latest use, for eviction.
void touch(const fs::path &artifact) { ::utimensat(AT_FDCWD, keyFile(artifact).c_str(), nullptr, 0); }

/// The artifact in `folder`, protected against eviction. Nothing if it does not exist, or is incomplete (`damage`).
std::shared_ptr<const void> useArtifact(const fs::path &folder, std::string &damage) {
  damage.clear();
  if (!isArtifact(folder))
    return nullptr;
  auto held = std::make_shared<FileDescriptor>(lockFolder(folder, LOCK_SH));
  // It is being evicted, so a lock of the folder would not protect a new artifact. Without file locks, it is not
  // protected.
  if (!*held && (errno == ENOENT || errno == EAGAIN))
    return nullptr;
  const Result<Artifact> opened = Artifact::open(folder);
  const Status whole = opened ? verifyLoaded(*opened) : opened.status();
  if (whole)
    return held;
  std::error_code error;
  if (fs::exists(folder, error))
    damage = whole.error().message;
  return nullptr;
}

using Counts = std::array<int64_t, 4>; ///< hits, misses, bypasses, evictions

Counts readCounts(int file) {
  char text[128] = {};
  Counts counts = {};
  if (::pread(file, text, sizeof text - 1, 0) > 0 &&
      std::sscanf(text, "hits %" SCNd64 " misses %" SCNd64 " bypasses %" SCNd64 " evicted %" SCNd64, &counts[0],
                  &counts[1], &counts[2], &counts[3]) != 4)
    counts = {};
  return counts;
}

} // namespace

struct CompileCache::Entry {
  fs::path artifact;
  int64_t lastUse = 0; ///< nanoseconds since 1970
  int64_t bytes = 0;
};

Result<CompileCache> CompileCache::open() {
  MICA_ASSIGN_OR_RETURN(const fs::path root, cacheFolder());
  int64_t limit = kDefaultLimit;
  if (std::optional<std::string> size = environmentValue("MICA_CACHE_SIZE")) {
    MICA_ASSIGN_OR_RETURN(limit, parseSize(*size));
  }
  return CompileCache(root / "artifacts", limit);
}

fs::path CompileCache::folderOf(const std::string &stem, const CacheKey &key) const {
  return folder / (stem + "-" + hashOf(key));
}

Result<CacheOutcome> CompileCache::get(const std::string &stem, CacheKey key, const std::string &bypass,
                                       const std::function<Result<int>(const fs::path &, int)> &compile) const {
  const fs::path artifact = folderOf(stem, key);
  CacheOutcome outcome;
  outcome.key = std::move(key);
  std::string damage;
  if (bypass.empty())
    outcome.use = useArtifact(artifact, damage);
  std::optional<CompileLock> making;
  if (!outcome.use) {
    // If this fails, the compile reports a better error.
    if (makeFolder(folder))
      making.emplace(artifact);
    // Another process may have made it meanwhile.
    if (bypass.empty())
      outcome.use = useArtifact(artifact, damage);
  }
  if (outcome.use) {
    outcome.folder = artifact;
    touch(artifact);
    logOutcome(outcome, artifact, true);
    count(outcome, 0);
    return outcome;
  }
  std::error_code error;
  const bool wasThere = fs::exists(artifact, error);
  outcome.kind = bypass.empty() ? CacheOutcome::Kind::Miss : CacheOutcome::Kind::Bypass;
  outcome.why = !bypass.empty() ? bypass : damage.empty() ? "not there" : "damaged";
  if (!damage.empty())
    MICA_LOG(Cache, Warning) << artifact.string() << " is recompiled: " << damage;
  outcome.changed = changedParts(artifact, outcome.key);
  logOutcome(outcome, artifact, wasThere);
  MICA_ASSIGN_OR_RETURN(outcome.compileResult, compile(artifact, making ? making->descriptor() : -1));
  if (outcome.compileResult != 0)
    return outcome;
  outcome.folder = artifact;
  outcome.use = std::make_shared<FileDescriptor>(lockFolder(artifact, LOCK_SH));
  keepKey(artifact, outcome.key);
  making.reset();
  trim(artifact);
  count(outcome, 0);
  return outcome;
}

std::vector<CompileCache::Entry> CompileCache::entries() const {
  std::vector<Entry> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code gone;
    if (name.starts_with(".") || !it->is_directory(gone))
      continue;
    Entry entry;
    entry.artifact = it->path();
    struct ::stat info = {};
    if (::stat(keyFile(entry.artifact).c_str(), &info) != 0 && ::stat(entry.artifact.c_str(), &info) != 0)
      continue;
    entry.lastUse = int64_t(info.st_mtim.tv_sec) * 1000000000 + info.st_mtim.tv_nsec;
    entry.bytes = bytesOf(entry.artifact);
    found.push_back(std::move(entry));
  }
  std::sort(found.begin(), found.end(), [](const Entry &a, const Entry &b) { return a.lastUse < b.lastUse; });
  return found;
}

bool CompileCache::evict(const fs::path &artifact) const {
  const fs::path lockFile = artifact.string() + ".lock";
  const FileDescriptor making = lockPath(lockFile, O_RDWR | O_CREAT, LOCK_EX | LOCK_NB);
  const FileDescriptor unused = lockFolder(artifact, LOCK_EX | LOCK_NB);
  if (!making || !unused)
    return false;
  // It is renamed first, so that no process finds it incomplete; if this process is killed, clean() removes the folder.
  const fs::path aside = folder / ("." + artifact.filename().string() + ".tmp-" + randomSuffix());
  if (::rename(artifact.c_str(), aside.c_str()) != 0)
    return false;
  // Kept entries are removed first: without them the next process removes the rest instead of restoring it.
  std::error_code ignored;
  fs::remove_all(aside / "runs", ignored);
  fs::remove_all(aside, ignored);
  fs::remove(keyFile(artifact), ignored);
  fs::remove(lockFile, ignored);
  return true;
}

void CompileCache::trim(const fs::path &kept) const {
  if (limit == 0)
    return;
  const std::vector<Entry> all = entries();
  int64_t bytes = 0, evicted = 0;
  for (const Entry &entry : all)
    bytes += entry.bytes;
  for (const Entry &entry : all) {
    if (bytes <= limit)
      break;
    if (entry.artifact == kept || !evict(entry.artifact))
      continue;
    bytes -= entry.bytes;
    ++evicted;
    MICA_LOG(Cache, Info) << "evicted: " << entry.artifact.string() << " (" << byteSize(entry.bytes)
                          << "): the cache is larger than " << byteSize(limit) << ", and it is the least recently used";
  }
  if (bytes > limit)
    MICA_LOG(Cache, Info) << "the cache has " << byteSize(bytes) << ", more than " << byteSize(limit)
                          << ": the rest is in use";
  if (evicted)
    count({}, evicted);
}

void CompileCache::count(const CacheOutcome &outcome, int64_t evicted) const {
  const FileDescriptor file = lockPath(folder / kCountsFile, O_RDWR | O_CREAT, LOCK_EX);
  if (!file)
    return;
  Counts counts = readCounts(file.get());
  if (evicted)
    counts[3] += evicted;
  else
    ++counts[size_t(outcome.kind)];
  char text[128];
  const int size = std::snprintf(
      text, sizeof text, "hits %10" PRId64 " misses %10" PRId64 " bypasses %10" PRId64 " evicted %10" PRId64 "\n",
      counts[0], counts[1], counts[2], counts[3]);
  // One write of a fixed length, which is atomic if the process is killed.
  if (size > 0 && ::pwrite(file.get(), text, size_t(size), 0) != size)
    MICA_LOG(Cache, Debug) << "the statistics in " << (folder / kCountsFile).string() << " could not be written";
}

CacheStatistics CompileCache::statistics() const {
  CacheStatistics statistics;
  statistics.folder = folder;
  statistics.limit = limit;
  for (const Entry &entry : entries()) {
    ++statistics.artifacts;
    statistics.bytes += entry.bytes;
    statistics.inUse += !lockFolder(entry.artifact, LOCK_EX | LOCK_NB);
  }
  if (const FileDescriptor file(::open((folder / kCountsFile).c_str(), O_RDONLY | O_CLOEXEC)); file) {
    const Counts counts = readCounts(file.get());
    statistics.hits = counts[0];
    statistics.misses = counts[1];
    statistics.bypasses = counts[2];
    statistics.evicted = counts[3];
  }
  return statistics;
}

CacheStatistics CompileCache::clean() const {
  for (const Entry &entry : entries())
    evict(entry.artifact);
  std::vector<fs::path> rest;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    rest.push_back(it->path());
  for (const fs::path &path : rest) {
    const std::string name = path.filename().string();
    std::error_code ignored;
    if (name.starts_with(".") && name.find(".tmp-") != name.npos) {
      // A process that works on it holds a lock: of the folder, or of the artifact whose key it writes.
      const size_t key = name.find(".key.json.tmp-");
      const FileDescriptor abandoned = key == name.npos ? lockFolder(path, LOCK_EX | LOCK_NB)
                                                        : lockPath(folder / (name.substr(1, key - 1) + ".lock"),
                                                                   O_RDWR | O_CREAT, LOCK_EX | LOCK_NB);
      if (abandoned)
        fs::remove_all(path, ignored);
      if (abandoned && key != name.npos)
        fs::remove(folder / (name.substr(1, key - 1) + ".lock"), ignored);
    } else if (name.ends_with(".failed")) {
      fs::remove_all(path, ignored);
    } else if (name.ends_with(".key.json") || name.ends_with(".lock") || name.ends_with(".log")) {
      const std::string artifact = name.substr(0, name.rfind(name.ends_with(".key.json") ? ".key.json" : "."));
      if (!fs::exists(folder / artifact, ignored) &&
          (!name.ends_with(".lock") || lockPath(path, O_RDWR, LOCK_EX | LOCK_NB)))
        fs::remove(path, ignored);
    } else if (name == kCountsFile) {
      fs::remove(path, ignored);
    }
  }
  return statistics();
}

} // namespace mica::artifact
