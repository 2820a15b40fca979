//===- CompileCache.h - the cache of compiled artifacts ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The folder MICA_CACHE_DIR/artifacts, shared by all processes of a user, holds what was compiled for `mica-run
// FILE.mlir` and for the argument sizes of a call. An artifact's name is a hash of all inputs of its compile, its key.
// If several processes need the same artifact, one compiles it and the others wait; a killed process leaves no partial
// artifact and no lock. If the folder grows beyond MICA_CACHE_SIZE, least recently used artifacts are evicted, except
// those in use.
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

/// The parts of a key, ("compiler", "/usr/bin/mica-compile"), in a fixed order. The part "program" names what is
/// compiled: a miss is explained by comparing the keys of the same program.
using CacheKey = std::vector<std::pair<std::string, std::string>>;

/// 16 hexadecimal digits.
std::string hashOf(const CacheKey &key);

/// Adds the parts for the compiler and the machine: a hash of `compiler` and of its libraries (CompilerBuild.h), and
/// either the machine file `machine` or the properties of this machine that code depends on, for caches on a disk that
/// machines share.
Status addCompilerParts(CacheKey &key, const std::filesystem::path &compiler,
                        const std::filesystem::path &machine = {});

/// "lenet" for "a b/LeNet.mlir": letters, digits, - and _ only, at most 60; "stdin" for "-".
std::string cacheStem(const std::string &program);

/// The outcome of a lookup.
struct CacheOutcome {
  enum class Kind { Hit, Miss, Bypass };
  Kind kind = Kind::Hit;
  std::filesystem::path folder; ///< the artifact; empty where the compile failed
  CacheKey key;
  std::string why;                  ///< of a miss or bypass: "not there", "--no-cache"
  std::vector<std::string> changed; ///< of a miss: what differs from the latest key of the same program
  int compileResult = 0;            ///< exit code of the compile; 0 if there was none
  /// Keeps the artifact from being evicted.
  std::shared_ptr<const void> use;
};
std::string_view cacheOutcomeName(CacheOutcome::Kind kind);

struct CacheStatistics {
  std::filesystem::path folder;
  int64_t artifacts = 0, bytes = 0;                        ///< on the disk now
  int64_t inUse = 0;                                       ///< bytes of the artifacts that running processes use
  int64_t limit = 0;                                       ///< bytes; 0: no limit
  int64_t hits = 0, misses = 0, bypasses = 0, evicted = 0; ///< since the folder was created
};

class CompileCache {
public:
  /// Errors: NotFound if there is no folder for a cache, InvalidInput if MICA_CACHE_SIZE is not a size.
  static Result<CompileCache> open();

  /// The folder of the artifact of `key`, whether it exists or not.
  std::filesystem::path folderOf(const std::string &stem, const CacheKey &key) const;

  /// Returns the artifact of `key`; a missing one is made by `compile`, which gets the folder, to be created by one
  /// rename, and an open file that the writing process must keep open (ProcessOptions::kept; -1: none), since its lock
  /// ends with the last process that has it. `compile` returns 0 for success. A nonempty `bypass` forces a compile.
  /// Waits while another process makes the artifact. Logs the outcome (topics cache and recompiles). Errors are those
  /// of `compile`.
  Result<CacheOutcome>
  get(const std::string &stem, CacheKey key, const std::string &bypass,
      const std::function<Result<int>(const std::filesystem::path &folder, int lock)> &compile) const;

  CacheStatistics statistics() const;
  /// Removes everything that is not in use, and the leftovers of killed processes. Returns statistics() of the rest.
  CacheStatistics clean() const;

private:
  struct Entry;
  CompileCache(std::filesystem::path folder, int64_t limit) : folder(std::move(folder)), limit(limit) {}

  std::vector<Entry> entries() const;
  bool evict(const std::filesystem::path &artifact) const;
  /// Evicts until the rest is within the limit, but never `kept`.
  void trim(const std::filesystem::path &kept) const;
  void count(const CacheOutcome &outcome, int64_t evicted) const;

  std::filesystem::path folder;
  int64_t limit;
};

} // namespace mica::artifact

#endif // MICA_ARTIFACT_COMPILECACHE_H
