//===- CompileCache.h - artifacts that are made once -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The folder MICA_CACHE_DIR/artifacts, shared by all processes of a user: what was compiled for `mica-run FILE.mlir`
// and for the sizes of a call. An artifact's name is a hash of everything that it was made from, its key. Of several
// processes that want the same one compiles and the others wait; one that is killed leaves nothing that another would
// take for an artifact, and no lock. What was not used for longest goes when the folder outgrows MICA_CACHE_SIZE, but
// nothing that a process uses.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_COMPILECACHE_H
#define MICA_ARTIFACT_COMPILECACHE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mica::artifact {

/// Parts of a key, ("compiler", "/usr/bin/mica-compile"), in a fixed order. "program" is the part that names what is
/// compiled: keys of the same program are compared where a miss is explained.
using CacheKey = std::vector<std::pair<std::string, std::string>>;

/// 16 hexadecimal digits.
std::string hashOf(const CacheKey &key);

/// Adds the parts that stand for the compiler and the machine: the contents of `compiler` and of its libraries
/// (CompilerBuild.h), and either the machine file `machine` or what code depends on of this machine, for caches on a
/// disk that machines share.
Status addCompilerParts(CacheKey &key, const std::filesystem::path &compiler,
                        const std::filesystem::path &machine = {});

/// "lenet" for "a b/LeNet.mlir": letters, digits, - and _ only, at most 60; "stdin" for "-".
std::string cacheStem(const std::string &program);

/// How a look-up went.
struct CacheOutcome {
  enum class Kind { Hit, Miss, Bypass };
  Kind kind = Kind::Hit;
  std::filesystem::path folder; ///< the artifact; empty where the compile failed
  CacheKey key;
  std::string why;                  ///< of a miss or bypass: "not there", "--no-cache"
  std::vector<std::string> changed; ///< of a miss: the parts that differ from the latest of the same program, in words
  int compileResult = 0;            ///< what the compile gave; 0 where there was none
  /// While it lives the artifact is not evicted.
  std::shared_ptr<const void> use;
};
std::string_view cacheOutcomeName(CacheOutcome::Kind kind);

struct CacheStatistics {
  std::filesystem::path folder;
  int64_t artifacts = 0, bytes = 0;                        ///< on the disk now
  int64_t inUse = 0;                                       ///< of the artifacts, by processes that run
  int64_t limit = 0;                                       ///< bytes; 0: none
  int64_t hits = 0, misses = 0, bypasses = 0, evicted = 0; ///< since the folder was made
};

class CompileCache {
public:
  /// Fails with NotFound where there is no place for a cache, with InvalidInput where MICA_CACHE_SIZE is no size.
  static Result<CompileCache> open();

  /// Where the artifact of `key` is or would be.
  std::filesystem::path folderOf(const std::string &stem, const CacheKey &key) const;

  /// The artifact of `key`, made by `compile` where it is not there: `compile` gets the folder, which it has to fill in
  /// one rename, and an open file that the process that writes has to keep (ProcessOptions::kept; -1: none): the lock
  /// on it ends with the last process that has it. Gives 0 for success. `bypass` not empty: it is made whatever is
  /// there. Waits while another process makes it. Says how it went (topics cache and recompiles). Errors are those of
  /// `compile`.
  Result<CacheOutcome>
  get(const std::string &stem, CacheKey key, const std::string &bypass,
      const std::function<Result<int>(const std::filesystem::path &folder, int lock)> &compile) const;

  CacheStatistics statistics() const;
  /// Removes everything that no process uses and what killed processes left. Gives what is left, as statistics().
  CacheStatistics clean() const;

private:
  struct Entry;
  CompileCache(std::filesystem::path folder, int64_t limit) : folder(std::move(folder)), limit(limit) {}

  std::vector<Entry> entries() const;
  bool evict(const std::filesystem::path &artifact) const;
  /// Evicts until the rest is within the limit; never `kept`.
  void trim(const std::filesystem::path &kept) const;
  void count(const CacheOutcome &outcome, int64_t evicted) const;

  std::filesystem::path folder;
  int64_t limit;
};

} // namespace mica::artifact

#endif // MICA_ARTIFACT_COMPILECACHE_H
