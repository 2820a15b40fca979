//===- Cursor.h - characters and tokens of IR texts --------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private: what the scanners of the languages share. Every function takes a position in the text and gives the one
// after what it read; none goes beyond the end.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_PASSDUMP_CURSOR_H
#define MICA_LIB_PASSDUMP_CURSOR_H

#include <cstdint>
#include <string_view>

namespace mica::passdump {

inline bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isWord(char c) { return isLetter(c) || isDigit(c) || c == '$' || c == '.'; }
inline bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The character at `at`, 0 at the end.
inline char charAt(std::string_view text, size_t at) { return at < text.size() ? text[at] : '\0'; }

inline size_t skipWord(std::string_view text, size_t at) {
  while (at < text.size() && isWord(text[at]))
    ++at;
  return at;
}
/// A name after %, @, # or !: letters, digits and $._-
inline size_t skipName(std::string_view text, size_t at) {
  while (at < text.size() && (isWord(text[at]) || text[at] == '-'))
    ++at;
  return at;
}
inline size_t lineEnd(std::string_view text, size_t at) {
  const size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end;
}
inline size_t skipSpaces(std::string_view text, size_t at) {
  while (at < text.size() && isSpace(text[at]))
    ++at;
  return at;
}
/// From the opening quote to after the closing one; a text that does not end ends with its line.
inline size_t skipQuoted(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return at;
}

/// Mixes a value into a hash.
inline uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 32);
}
inline uint64_t mixText(uint64_t hash, std::string_view text) {
  uint64_t value = 0xcbf29ce484222325ULL;
  for (const char c : text)
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(hash, value);
}

} // namespace mica::passdump

#endif // MICA_LIB_PASSDUMP_CURSOR_H
