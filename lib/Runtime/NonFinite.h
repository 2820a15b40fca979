//===- NonFinite.h - NaN and infinities in a buffer ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime. Of a buffer without any, one pass at the speed of memory.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_NONFINITE_H
#define MICA_LIB_RUNTIME_NONFINITE_H

#include "mica/Support/HostTensor.h"

#include <cstdint>

namespace mica::runtime {

/// What is in a buffer.
struct NonFinite {
  int64_t nan = 0, positive = 0, negative = 0; ///< elements that are NaN, +inf, -inf
  int64_t first = -1;                          ///< the first that is NaN or of a sign that counts, -1: none
  int64_t nearOverflow = 0;                    ///< finite, and beyond 1/16 of the type's largest
  bool any() const { return nan || positive || negative; }
};

/// Looks at `count` elements of `type` at `data`; types that are no floats have nothing. `negativeCounts`: -inf can be
/// `first`. `overflow`: counts nearOverflow too, which takes longer.
NonFinite findNonFinite(DType type, const void *data, int64_t count, bool negativeCounts, bool overflow);

/// Whether one of the elements `begin` to `end` is NaN or an infinity; quicker than finding out which.
bool hasNonFinite(DType type, const void *data, int64_t begin, int64_t end);

/// Element `index`; exact.
double elementOf(DType type, const void *data, int64_t index);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_NONFINITE_H
