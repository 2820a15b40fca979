//===- Cache.cpp - --clean and --cache-stats ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Cache.h"

#include "lib/RunTool/Options.h"
#include "mica/Artifact/CompileCache.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Text.h"

#include <cinttypes>
#include <cstdio>

namespace mica::runtool {

static std::string artifacts(int64_t count) {
  return std::to_string(count) + (count == 1 ? " artifact" : " artifacts");
}

Status cleanCache() {
  MICA_ASSIGN_OR_RETURN(const artifact::CompileCache cache, artifact::CompileCache::open());
  const artifact::CacheStatistics before = cache.statistics(), after = cache.clean();
  std::string text = before.folder.string() + ": removed " + artifacts(before.artifacts - after.artifacts) + ", " +
                     byteSize(before.bytes - after.bytes);
  if (after.artifacts > 0)
    text += "; " + artifacts(after.artifacts) + " in use, " + byteSize(after.bytes);
  printNote(kTool, text);
  return {};
}

Result<int> showCache() {
  MICA_ASSIGN_OR_RETURN(const artifact::CompileCache cache, artifact::CompileCache::open());
  const artifact::CacheStatistics now = cache.statistics();
  std::printf("%s: %s, %s of %s; %" PRId64 " in use\n", now.folder.string().c_str(), artifacts(now.artifacts).c_str(),
              byteSize(now.bytes).c_str(), now.limit ? byteSize(now.limit).c_str() : "any size", now.inUse);
  std::printf("hits %" PRId64 ", misses %" PRId64 ", bypassed %" PRId64 ", evicted %" PRId64 "\n", now.hits, now.misses,
              now.bypasses, now.evicted);
  return 0;
}

} // namespace mica::runtool
