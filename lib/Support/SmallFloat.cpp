//===- SmallFloat.cpp - floats of 8 and 16 bits ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One encoder and one decoder over a description of the format; the four formats are four rows of constants.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mica {
namespace {

/// A binary float format of at most 16 bits. Codes are without the sign bit.
struct Format {
  int exponentBits;
  int mantissaBits;
  uint32_t maxFinite; ///< code of the largest finite value
  uint32_t infinity;  ///< what infinity and overflow become
  uint32_t quietNaN;
  bool hasInfinity;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
};

constexpr Format kF16{5, 10, 0x7bff, 0x7c00, 0x7e00, true};
constexpr Format kBF16{8, 7, 0x7f7f, 0x7f80, 0x7fc0, true};
constexpr Format kF8E4M3FN{4, 3, 0x7e, 0x7f, 0x7f, false};
constexpr Format kF8E5M2{5, 2, 0x7b, 0x7c, 0x7e, true};

uint32_t encode(double value, const Format &format) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint32_t sign = (bits >> 63) ? format.signBit() : 0;
  if (std::isnan(value))
    return sign | format.quietNaN;
  if (std::isinf(value))
    return sign | format.infinity;
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (biased != 0)
    mantissa |= uint64_t(1) << 52;
  if (mantissa == 0)
    return sign;

  // value = mantissa * 2^exponent. The result is a multiple of 2^unit, the spacing of the target format at this
  // magnitude; below the smallest normal number the spacing is constant, which handles subnormals.
  const int exponent = biased != 0 ? biased - 1075 : -1074;
  const int magnitude = 63 - std::countl_zero(mantissa) + exponent;
  const int unit = std::max(magnitude, 1 - format.bias()) - format.mantissaBits;
  const int shift = unit - exponent;
  uint64_t quotient = 0;
  if (shift <= 54) {
    quotient = mantissa >> shift;
    const uint64_t rest = mantissa & ((uint64_t(1) << shift) - 1);
    const uint64_t half = uint64_t(1) << (shift - 1);
    if (rest > half || (rest == half && (quotient & 1)))
      ++quotient;
  }
  // The quotient's leading bit, if it is a normal number, increments the exponent field; so does a carry.
  const uint64_t code =
      (static_cast<uint64_t>(unit + format.mantissaBits + format.bias() - 1) << format.mantissaBits) + quotient;
  return sign | (code > format.maxFinite ? format.infinity : static_cast<uint32_t>(code));
}

double decode(uint32_t code, const Format &format) {
  const double sign = (code & format.signBit()) ? -1.0 : 1.0;
  code &= format.signBit() - 1;
  if (code > format.maxFinite) {
    if (format.hasInfinity && code == format.infinity)
      return sign * std::numeric_limits<double>::infinity();
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  }
  const uint32_t mantissa = code & ((1u << format.mantissaBits) - 1);
  const int exponent = static_cast<int>(code >> format.mantissaBits);
  const int unit = std::max(exponent, 1) - format.bias() - format.mantissaBits;
  const uint32_t hidden = exponent != 0 ? 1u << format.mantissaBits : 0;
  return sign * std::ldexp(static_cast<double>(mantissa | hidden), unit);
}

} // namespace

uint16_t toF16(double value) { return static_cast<uint16_t>(encode(value, kF16)); }
double fromF16(uint16_t bits) { return decode(bits, kF16); }
uint16_t toBF16(double value) { return static_cast<uint16_t>(encode(value, kBF16)); }
double fromBF16(uint16_t bits) { return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16)); }
uint8_t toF8E4M3FN(double value) { return static_cast<uint8_t>(encode(value, kF8E4M3FN)); }
double fromF8E4M3FN(uint8_t bits) { return decode(bits, kF8E4M3FN); }
uint8_t toF8E5M2(double value) { return static_cast<uint8_t>(encode(value, kF8E5M2)); }
double fromF8E5M2(uint8_t bits) { return decode(bits, kF8E5M2); }

} // namespace mica
