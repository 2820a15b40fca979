//===- CacheKey.h - what an artifact in the cache was made from --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. The key is a hash of named parts; the parts are kept beside the artifact, as <artifact>.key.json, so that a
// miss can say which of them is another one than before. Its time is that of the latest use.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_ARTIFACT_CACHEKEY_H
#define MICA_LIB_ARTIFACT_CACHEKEY_H

#include "mica/Artifact/CompileCache.h"

namespace mica::artifact {

std::filesystem::path keyFile(const std::filesystem::path &artifact);

/// The parts of `key` that differ from those of the latest artifact of the same program: "opt-level was 2, is 3".
/// Nothing where there is none.
std::vector<std::string> changedParts(const std::filesystem::path &artifact, const CacheKey &key);

/// Says of a look-up in the cache how it went: topics cache and recompiles.
void logOutcome(const CacheOutcome &outcome, const std::filesystem::path &artifact, bool wasThere);

/// Keeps the parts beside the artifact. Failure costs an explanation, no result: it is logged only.
void keepKey(const std::filesystem::path &artifact, const CacheKey &key);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_CACHEKEY_H
