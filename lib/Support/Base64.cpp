//===- Base64.cpp - Base64 encoding --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Base64.h"

#include <array>
#include <cstdint>

namespace mica {

static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encodeBase64(std::string_view bytes, size_t lineLength) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4 + (lineLength ? bytes.size() / lineLength * 2 : 0));
  const size_t groupsPerLine = lineLength / 4;
  for (size_t i = 0, groups = 0; i < bytes.size(); i += 3, ++groups) {
    if (groupsPerLine && groups && groups % groupsPerLine == 0)
      out += '\n';
    const size_t left = bytes.size() - i;
    auto byte = [&](size_t k) { return k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u; };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    const char digits[4] = {kDigits[group >> 18], kDigits[group >> 12 & 63], left > 1 ? kDigits[group >> 6 & 63] : '=',
                            left > 2 ? kDigits[group & 63] : '='};
    out.append(digits, 4);
  }
  return out;
}

std::optional<std::string> decodeBase64(std::string_view text) {
  static constexpr auto kValues = [] {
    std::array<int8_t, 256> values = {};
    values.fill(-1);
    for (size_t i = 0; i < kDigits.size(); ++i)
      values[static_cast<unsigned char>(kDigits[i])] = static_cast<int8_t>(i);
    return values;
  }();
  std::string out;
  out.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  int digits = 0, padding = 0;
  for (const char c : text) {
    if (c == '\n')
      continue;
    const int value = kValues[static_cast<unsigned char>(c)];
    // Nothing may follow padding, which replaces at most the last two characters of a group.
    if (c == '=' ? digits < 2 : (value < 0 || padding))
      return std::nullopt;
    padding += c == '=';
    group = group << 6 | static_cast<uint32_t>(c == '=' ? 0 : value);
    if (++digits < 4)
      continue;
    if (padding > 2)
      return std::nullopt;
    const char bytes[3] = {static_cast<char>(group >> 16), static_cast<char>(group >> 8), static_cast<char>(group)};
    out.append(bytes, static_cast<size_t>(3 - padding));
    group = 0;
    // A second group of padding would have fewer than two digits.
    digits = 0;
  }
  if (digits)
    return std::nullopt;
  return out;
}

} // namespace mica
