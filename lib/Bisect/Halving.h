//===- Halving.h - two neighboring states, one right and one wrong ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the search that all bisections have in common. States are numbered; some cannot be judged.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_HALVING_H
#define MICA_LIB_BISECT_HALVING_H

#include "mica/Support/Status.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace mica::bisect {

enum class Is { Right, Wrong, Unknown };

/// Every state between the two, if there are any, is Unknown.
struct Neighbors {
  size_t right = 0, wrong = 0;
};

/// Halves what lies between a right state and a wrong one behind it. Asks for the one in the middle, or the nearest to
/// it that can be judged; `judge` is asked again for states it has judged, and has to remember.
Result<Neighbors> findNeighbors(size_t right, size_t wrong, llvm::function_ref<Result<Is>(size_t)> judge);

/// The last of states 0 to `last` that can be judged; 0 where none can.
Result<size_t> lastJudged(size_t last, llvm::function_ref<Result<Is>(size_t)> judge);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_HALVING_H
