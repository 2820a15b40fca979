//===- CacheKey.h - keys of cached artifacts ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. A key consists of named parts, stored beside the artifact as <artifact>.key.json, so that a miss can be
// explained by the parts that changed. The modification time of that file is the time of the latest use.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_ARTIFACT_CACHEKEY_H
#define MICA_LIB_ARTIFACT_CACHEKEY_H

#include "mica/Artifact/CompileCache.h"

namespace mica::artifact {

std::filesystem::path keyFile(const std::filesystem::path &artifact);

/// The parts of `key` that differ from those of the latest artifact of the same program: "opt-level was 2, is 3".
/// Nothing if there is none.
std::vector<std::string> changedParts(const std::filesystem::path &artifact, const CacheKey &key);

/// Logs the outcome of a cache lookup: topics cache and recompiles.
void logOutcome(const CacheOutcome &outcome, const std::filesystem::path &artifact, bool wasThere);

/// Stores the parts beside the artifact. A failure is only logged, since it only affects explanations.
void keepKey(const std::filesystem::path &artifact, const CacheKey &key);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_CACHEKEY_H
