//===- Text.h - string helpers -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Helpers for messages: suggestions for misspelled names, lists, counts.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_TEXT_H
#define MICA_SUPPORT_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// The candidate nearest to `name` by edit distance (case counts half), or "" if none is near enough to be a
/// misspelling.
std::string nearestName(std::string_view name, const std::vector<std::string> &candidates);

/// "a, b, c"; beyond `limit` names "a, b, ... (17 in all)".
std::string joinNames(const std::vector<std::string> &names, size_t limit = 12);

/// The hint after an unknown name: "did you mean 'forward'? There are: forward, backward".
std::string unknownNameHint(std::string_view name, const std::vector<std::string> &candidates);

/// Splits `text` at each `separator`; "" gives one empty piece.
std::vector<std::string> splitText(std::string_view text, char separator);

/// Whether `name` matches one of the comma-separated `patterns` (* any text, ? any character); "" matches every name.
bool matchesNames(std::string_view patterns, std::string_view name);

/// "1,234,567".
std::string groupDigits(int64_t value);

/// "512 B", "3.2 KiB", "1.5 GiB".
std::string byteSize(int64_t bytes);

} // namespace mica

#endif // MICA_SUPPORT_TEXT_H
