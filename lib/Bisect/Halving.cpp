//===- Halving.cpp - two neighboring states, one right and one wrong ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Halving.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Halving.h"

#include <optional>

using namespace mica;
using namespace mica::bisect;

Result<Neighbors> bisect::findNeighbors(size_t right, size_t wrong, llvm::function_ref<Result<Is>(size_t)> judge) {
  while (wrong - right > 1) {
    std::optional<size_t> next;
    Is found = Is::Unknown;
    const size_t middle = right + (wrong - right) / 2;
    for (size_t away = 0; !next && away < wrong - right; ++away)
      for (const size_t candidate : {middle - away, middle + away}) {
        if (next || candidate <= right || candidate >= wrong || candidate > middle + away)
          continue;
        MICA_ASSIGN_OR_RETURN(found, judge(candidate));
        if (found != Is::Unknown)
          next = candidate;
      }
    if (!next)
      break;
    (found == Is::Right ? right : wrong) = *next;
  }
  return Neighbors{right, wrong};
}

Result<size_t> bisect::lastJudged(size_t last, llvm::function_ref<Result<Is>(size_t)> judge) {
  for (; last > 0; --last) {
    MICA_ASSIGN_OR_RETURN(const Is found, judge(last));
    if (found != Is::Unknown)
      break;
  }
  return last;
}
