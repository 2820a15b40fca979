//===- Digits.h - decimal digits of floats -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: NumPy's forms Dragon4 positional and scientific, in its mode `unique`: the shortest digits that round-trip
// in the number's own type, then rounded to a precision.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPARE_DIGITS_H
#define MICA_LIB_COMPARE_DIGITS_H

#include "mica/Support/HostTensor.h"

#include <string>

namespace mica {

/// A finite float split at its decimal point: "-12" and "5" for -12.5; `fraction` has no trailing zeros and may be
/// empty. Scientific: one digit before the point and `exponent` as "e-05".
struct DecimalText {
  std::string whole;
  std::string fraction;
  std::string exponent;
};

/// `value` must be a finite number of type `type`; at most `precision` digits after the point.
DecimalText positionalDigits(double value, DType type, int precision);
DecimalText scientificDigits(double value, DType type, int precision);

} // namespace mica

#endif // MICA_LIB_COMPARE_DIGITS_H
