//===- CacheKey.h - what an artifact in the cache was made from --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. The key is a hash of named parts; the parts are kept beside the artifact, as <artifact>.key.json, so that a
// miss can say which of them is another one than before.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CACHEKEY_H
#define MICA_LIB_RUNTOOL_CACHEKEY_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mica::runtool {

/// Parts of a key, ("compiler", "/usr/bin/mica-compile"), in a fixed order.
using CacheKey = std::vector<std::pair<std::string, std::string>>;

/// 16 hexadecimal digits.
std::string hashOf(const CacheKey &key);

/// Says of a look-up in the cache how it went: topics cache and recompiles.
void logHit(const std::filesystem::path &artifact, const CacheKey &key);
void logMiss(const std::filesystem::path &artifact, const CacheKey &key, const std::string &why);

/// Keeps the parts beside the artifact. Failure costs an explanation, no result: it is logged only.
void keepKey(const std::filesystem::path &artifact, const CacheKey &key);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CACHEKEY_H
