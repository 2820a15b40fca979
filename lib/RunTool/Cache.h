//===- Cache.h - --clean and --cache-stats -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CACHE_H
#define MICA_LIB_RUNTOOL_CACHE_H

#include "mica/Support/Status.h"

namespace mica::runtool {

/// Removes everything from the cache that is not in use, and prints what was removed.
Status cleanCache();

/// Prints the contents and statistics of the cache. Returns the exit code.
Result<int> showCache();

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CACHE_H
