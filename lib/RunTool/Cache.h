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

/// Removes from the cache all that no process uses, and says what it was.
Status cleanCache();

/// Prints what is in the cache and how often it served. Gives the exit code.
Result<int> showCache();

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CACHE_H
