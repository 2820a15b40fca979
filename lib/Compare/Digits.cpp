//===- Digits.cpp - decimal digits of floats ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// std::to_chars gives the shortest digits for f32 and f64; for narrower types digits are added until the number
// round-trips.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Compare/Digits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace mica {
namespace {

/// "d.ddde-05" with the shortest digits.
std::string shortestScientific(double value, DType type) {
  // With so few bits the shortest digits are misleading: 448, the largest f8E4M3FN, would be 450.
  if (type == DType::F8E4M3FN || type == DType::F8E5M2)
    type = DType::F32;
  std::array<char, 64> buffer;
  if (type == DType::F64 || type == DType::F32) {
    const auto end = type == DType::F64 ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                                        std::chars_format::scientific)
                                        : std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                                        static_cast<float>(value), std::chars_format::scientific);
    return {buffer.data(), end.ptr};
  }
  HostTensor scratch(type, {1});
  for (int digits = 0;; ++digits) {
    std::snprintf(buffer.data(), buffer.size(), "%.*e", digits, value);
    scratch.setDouble(0, std::strtod(buffer.data(), nullptr));
    if (scratch.asDouble(0) == value || digits == 17)
      return buffer.data();
  }
}

/// The number of digits after the point of the shortest form, written without an exponent.
int shortestFraction(const std::string &scientific) {
  const size_t e = scientific.find('e');
  const size_t point = scientific.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(e - point - 1);
  return std::max(0, digits - std::atoi(scientific.c_str() + e + 1));
}

void trimZeros(std::string &digits) {
  while (!digits.empty() && digits.back() == '0')
    digits.pop_back();
}

} // namespace

DecimalText positionalDigits(double value, DType type, int precision) {
  const std::string shortest = shortestScientific(value, type);
  const int fraction = shortestFraction(shortest);
  DecimalText result;
  if (fraction > precision) {
    std::array<char, 512> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.*f", precision, value);
    const std::string text = buffer.data();
    result.whole = text.substr(0, text.find('.'));
    result.fraction = precision > 0 ? text.substr(text.find('.') + 1) : "";
    trimZeros(result.fraction);
    return result;
  }
  // Only the digits of the shortest form are used, followed by zeros, even if the exact value has more digits.
  const bool negative = shortest[0] == '-';
  const size_t e = shortest.find('e');
  int exponent = std::atoi(shortest.c_str() + e + 1);
  std::string digits = shortest.substr(negative ? 1 : 0, e - (negative ? 1 : 0));
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  if (exponent < 0) {
    digits.insert(0, static_cast<size_t>(-exponent), '0');
    exponent = 0;
  }
  const size_t whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() < whole)
    digits.append(whole - digits.size(), '0');
  result.whole = (negative ? "-" : "") + digits.substr(0, whole);
  result.fraction = digits.substr(whole);
  trimZeros(result.fraction);
  return result;
}

DecimalText scientificDigits(double value, DType type, int precision) {
  std::string text = shortestScientific(value, type);
  const size_t point = text.find('.');
  if (point != std::string::npos && static_cast<int>(text.find('e') - point - 1) > precision) {
    std::array<char, 512> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.*e", precision, value);
    text = buffer.data();
  }
  const size_t e = text.find('e'), dot = std::min(text.find('.'), e);
  DecimalText result;
  result.whole = text.substr(0, dot);
  result.fraction = dot < e ? text.substr(dot + 1, e - dot - 1) : "";
  trimZeros(result.fraction);
  result.exponent = text.substr(e);
  return result;
}

} // namespace mica
