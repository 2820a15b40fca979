//===- TosaScale.h - fixed-point scaling of tosa ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// apply_scale_32, apply_scale_16 and reciprocal_scale as the TOSA specification defines them, for tosa.rescale,
// tosa.mul and tosa.avg_pool2d on integers.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_TOSASCALE_H
#define MICA_DIALECTS_MICA_REFERENCE_TOSASCALE_H

#include "dialects/Mica/Reference/Tensor.h"

#include <bit>

namespace mica::reference {

/// value * multiplier / 2^shift, rounded half up; `doubleRound` first rounds as if to 31 bits.
inline int64_t applyScale(int64_t value, int64_t multiplier, int64_t shift, bool doubleRound) {
  if (shift <= 0 || shift > 62)
    return shift == 0 ? int64_t(uint64_t(value) * uint64_t(multiplier)) : 0;
  __int128 round = __int128(1) << (shift - 1);
  if (doubleRound && shift > 31)
    round += value >= 0 ? __int128(1) << 30 : -(__int128(1) << 30);
  return int64_t((__int128(value) * multiplier + round) >> shift);
}

/// value / count in fixed point: the multiplier has 31 bits, the shift follows from the size of `count`.
inline int64_t divideByScale(int64_t value, uint32_t count) {
  int k = 32 - std::countl_zero(count - 1);
  int64_t multiplier = int64_t((((uint64_t(1) << 30) + 1) << k) / count);
  return applyScale(value, multiplier, 30 + k, false);
}

/// `value` clamped to the range of `type`, read as signed unless `asUnsigned`; in canonical form.
inline int64_t saturate(int64_t value, ElementType type, bool asUnsigned = false) {
  if (type.bits == 64)
    return value;
  bool isUnsigned = asUnsigned || type.isUnsigned || type.bits == 1;
  int64_t low = isUnsigned ? 0 : -(int64_t(1) << (type.bits - 1));
  int64_t high = (int64_t(1) << (isUnsigned ? type.bits : type.bits - 1)) - 1;
  return type.wrap(std::min(std::max(value, low), high));
}

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_TOSASCALE_H
