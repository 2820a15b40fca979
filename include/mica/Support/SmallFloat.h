//===- SmallFloat.h - floats of 8 and 16 bits --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Conversion between f64 and the float types without a C++20 type. A conversion from f64 rounds once, to nearest even;
// a conversion to f64 is exact.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_SMALLFLOAT_H
#define MICA_SUPPORT_SMALLFLOAT_H

#include <cstdint>

namespace mica {

/// IEEE binary16. Overflow gives infinity.
uint16_t toF16(double value);
double fromF16(uint16_t bits);

/// The upper half of an f32. Overflow gives infinity.
uint16_t toBF16(double value);
double fromBF16(uint16_t bits);

/// 4 exponent bits, 3 mantissa bits, no infinity: overflow and infinity give NaN (0x7f or 0xff). Largest value 448.
uint8_t toF8E4M3FN(double value);
double fromF8E4M3FN(uint8_t bits);

/// 5 exponent bits, 2 mantissa bits, with infinity. Largest finite value 57344.
uint8_t toF8E5M2(double value);
double fromF8E5M2(uint8_t bits);

} // namespace mica

#endif // MICA_SUPPORT_SMALLFLOAT_H
