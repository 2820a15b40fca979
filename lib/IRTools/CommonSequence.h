//===- CommonSequence.h - longest common subsequence ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A longest common subsequence in O((n + m) d) for d differences (Myers, An O(ND) Difference Algorithm, 1986).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_COMMONSEQUENCE_H
#define MICA_LIB_IRTOOLS_COMMONSEQUENCE_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mica::irtools {

/// Positions of equal elements, both ascending. With more than `mostEdits` differences the search stops, and only the
/// common prefix and suffix are returned.
std::vector<std::pair<size_t, size_t>> commonSequence(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b,
                                                      int64_t mostEdits);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_COMMONSEQUENCE_H
