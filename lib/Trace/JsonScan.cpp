//===- JsonScan.cpp - a fast JSON scanner ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Recursive descent over bytes; strings, which contain most bytes, are scanned eight bytes at a time.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace mica::trace {
namespace {

constexpr int kMaxNesting = 500;

/// Whether the number `text` exceeds the range of double, so that readers convert it to infinity or reject it.
bool isBeyondDouble(std::string_view text) {
  constexpr size_t kLongestPlain = 300; // digits
  if (text.size() <= kLongestPlain && text.find_first_of("eE") == std::string_view::npos)
    return false;
  return std::isinf(std::strtod(std::string(text).c_str(), nullptr));
}

/// The length of the UTF-8 character at `at`, or 0 if it is invalid.
size_t characterLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto follows = [&](size_t i, unsigned low = 0x80, unsigned high = 0xbf) { return byte(i) >= low && byte(i) <= high; };
  const unsigned first = byte(at);
  if (first < 0x80)
    return 1;
  if (first >= 0xc2 && first <= 0xdf)
    return follows(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef)
    return follows(at + 1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(at + 2) ? 3 : 0;
  if (first >= 0xf0 && first <= 0xf4)
    return follows(at + 1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(at + 2) &&
                   follows(at + 3)
               ? 4
               : 0;
  return 0;
}

int hexValue(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// The value of four hex digits at `at`, or -1.
int unitAt(std::string_view text, size_t at) {
  if (at + 4 > text.size())
    return -1;
  int unit = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const int digit = hexValue(text[i]);
    if (digit < 0)
      return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool isHighSurrogate(int unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool isLowSurrogate(int unit) { return unit >= 0xdc00 && unit <= 0xdfff; }
/// Whether the low surrogate for the preceding high surrogate is escaped at `at`.
bool lowHalfAt(std::string_view text, size_t at) {
  return at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u' && isLowSurrogate(unitAt(text, at + 2));
}

/// Whether none of eight bytes needs attention in a string: no quote, backslash, control or non-ASCII character.
bool allPlain(const char *bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  constexpr uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  auto hasZero = [](uint64_t x) { return (x - ones) & ~x; };
  const uint64_t special =
      hasZero(word ^ (ones * '"')) | hasZero(word ^ (ones * '\\')) | ((word - ones * 0x20) & ~word) | word;
  return !(special & highs);
}

class Scanner {
public:
  Scanner(std::string_view text, std::vector<JsonMember> *members, int depth)
      : text(text), members(members), wanted(members ? depth : 0) {}

  JsonScan run() {
    skipBlanks();
    result.ok = value(0) && (skipBlanks(), at == text.size() || fail("the end of the text"));
    return result;
  }

private:
  bool fail(const char *expected) {
    result.errorAt = at;
    result.expected = expected;
    return false;
  }
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  bool word(std::string_view expected, const char *name) {
    if (text.substr(at, expected.size()) != expected)
      return fail(name);
    at += expected.size();
    return true;
  }

  bool value(int nesting) {
    if (nesting > kMaxNesting)
      return fail("fewer nested values");
    switch (peek()) {
    case '{':
      return object(nesting);
    case '[':
      return list(nesting);
    case '"':
      return string();
    case 't':
      return word("true", "true");
    case 'f':
      return word("false", "false");
    case 'n':
      return word("null", "null");
    case 'N':
      result.notes.nonFinite = true;
      return word("NaN", "NaN");
    case 'I':
      result.notes.nonFinite = true;
      return word("Infinity", "Infinity");
    default:
      return number();
    }
  }

  bool digits() {
    const size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      ++at;
    return at > first || fail("a digit");
  }
  bool number() {
    const size_t first = at;
    if (peek() == '-')
      ++at;
    if (peek() == 'I' && at > first) {
      result.notes.nonFinite = true;
      return word("Infinity", "Infinity");
    }
    if (peek() < '0' || peek() > '9')
      return at == first ? fail("a value") : fail("a digit");
    if (peek() == '0')
      ++at;
    else if (!digits())
      return false;
    if (peek() == '.') {
      ++at;
      if (!digits())
        return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at;
      if (peek() == '+' || peek() == '-')
        ++at;
      if (!digits())
        return false;
    }
    result.notes.nonFinite |= isBeyondDouble(text.substr(first, at - first));
    return true;
  }

  bool string() {
    ++at;
    for (;;) {
      while (at + 8 <= text.size() && allPlain(text.data() + at))
        at += 8;
      if (at >= text.size())
        return fail("the end of the string");
      const unsigned char c = static_cast<unsigned char>(text[at]);
      if (c == '"') {
        ++at;
        return true;
      }
      if (c == '\\') {
        if (!escape())
          return false;
      } else if (c < 0x20) {
        return fail("no control character in a string");
      } else if (c < 0x80) {
        ++at;
      } else {
        const size_t length = characterLength(text, at);
        result.notes.invalidUtf8 |= length == 0;
        at += length ? length : 1;
      }
    }
  }
  bool escape() {
    const char c = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == 'u') {
      const int unit = unitAt(text, at + 2);
      if (unit < 0)
        return fail("four hex digits after \\u");
      at += 6;
      if (isHighSurrogate(unit) && lowHalfAt(text, at))
        at += 6;
      else
        result.notes.surrogate |= unit >= 0xd800 && unit <= 0xdfff;
      return true;
    }
    if (!c || !std::strchr("\"\\/bfnrt", c))
      return fail("an escape that JSON knows");
    at += 2;
    return true;
  }

  bool object(int nesting) {
    ++at;
    skipBlanks();
    if (peek() == '}') {
      ++at;
      return true;
    }
    for (;;) {
      if (peek() != '"')
        return fail("a key");
      const size_t key = at + 1;
      if (!string())
        return false;
      const std::string_view name = text.substr(key, at - 1 - key);
      skipBlanks();
      if (peek() != ':')
        return fail("':'");
      ++at;
      skipBlanks();
      const size_t first = at;
      if (!value(nesting + 1))
        return false;
      if (nesting < wanted && !inList)
        members->push_back({name, text.substr(first, at - first), nesting + 1});
      skipBlanks();
      if (peek() == '}') {
        ++at;
        return true;
      }
      if (peek() != ',')
        return fail("',' or '}'");
      ++at;
      skipBlanks();
    }
  }
  bool list(int nesting) {
    ++at;
    // Members of objects in lists are not collected.
    const bool outer = inList;
    inList = true;
    const bool ok = elements(nesting);
    inList = outer;
    return ok;
  }
  bool elements(int nesting) {
    skipBlanks();
    if (peek() == ']') {
      ++at;
      return true;
    }
    for (;;) {
      if (!value(nesting + 1))
        return false;
      skipBlanks();
      if (peek() == ']') {
        ++at;
        return true;
      }
      if (peek() != ',')
        return fail("',' or ']'");
      ++at;
      skipBlanks();
    }
  }

  std::string_view text;
  std::vector<JsonMember> *members;
  int wanted;
  bool inList = false;
  size_t at = 0;
  JsonScan result;
};

void appendUtf8(std::string &out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// Whether quoteJson leaves `c` unchanged.
bool isPlain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '<'; }

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

} // namespace

JsonScan scanJson(std::string_view text, std::vector<JsonMember> *members, int depth) {
  return Scanner(text, members, depth).run();
}

std::string strictJson(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  bool inString = false;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (!inString) {
      bool replaced = false;
      for (const std::string_view word : {"NaN", "-Infinity", "Infinity"})
        if (!replaced && text.substr(at, word.size()) == word) {
          out += '"' + std::string(word) + '"';
          at += word.size();
          replaced = true;
        }
      if (replaced)
        continue;
      if (const size_t end = std::min(text.find_first_not_of("+-.0123456789Ee", at), text.size()); end > at) {
        const std::string_view number = text.substr(at, end - at);
        const char *quote = isBeyondDouble(number) ? "\"" : "";
        out += quote + std::string(number) + quote;
        at = end;
        continue;
      }
      inString = c == '"';
      out += c;
      ++at;
      continue;
    }
    if (c == '\\' && at + 1 < text.size() && text[at + 1] == 'u') {
      const int unit = unitAt(text, at + 2);
      const bool pair = isHighSurrogate(unit) && lowHalfAt(text, at + 6);
      if (!pair && unit >= 0xd800 && unit <= 0xdfff)
        out += "\\ufffd";
      else
        out += text.substr(at, pair ? 12 : 6);
      at += pair ? 12 : 6;
      continue;
    }
    if (c == '\\') {
      out += text.substr(at, 2);
      at += 2;
      continue;
    }
    const size_t length = characterLength(text, at);
    out += length ? text.substr(at, length) : kReplacement;
    at += length ? length : 1;
    inString = c != '"';
  }
  return out;
}

bool isUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    uint64_t word;
    if (at + 8 <= text.size() && (std::memcpy(&word, text.data() + at, 8), !(word & 0x8080808080808080))) {
      at += 8;
      continue;
    }
    const size_t length = characterLength(text, at);
    if (!length)
      return false;
    at += length;
  }
  return true;
}

std::string validUtf8(std::string_view text) {
  if (isUtf8(text))
    return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = characterLength(text, at);
    out += length ? text.substr(at, length) : kReplacement;
    at += length ? length : 1;
  }
  return out;
}

std::optional<std::string> jsonString(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"')
    return std::nullopt;
  value = value.substr(1, value.size() - 2);
  if (value.find('\\') == std::string_view::npos)
    return validUtf8(value);
  std::string out;
  for (size_t at = 0; at < value.size();) {
    if (value[at] != '\\') {
      out += value[at++];
      continue;
    }
    const char c = at + 1 < value.size() ? value[at + 1] : '\\';
    if (c == 'u') {
      int code = unitAt(value, at + 2);
      at += 6;
      if (isHighSurrogate(code) && lowHalfAt(value, at)) {
        code = 0x10000 + ((code - 0xd800) << 10) + (unitAt(value, at + 2) - 0xdc00);
        at += 6;
      }
      if (code < 0 || (code >= 0xd800 && code <= 0xdfff))
        out += kReplacement;
      else
        appendUtf8(out, static_cast<unsigned>(code));
      continue;
    }
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
    at += 2;
  }
  return validUtf8(out);
}

std::optional<int64_t> jsonInteger(std::string_view value) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size())
    return std::nullopt;
  return number;
}

std::optional<double> jsonNumber(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

std::optional<bool> jsonBoolean(std::string_view value) {
  if (value == "true" || value == "false")
    return value == "true";
  return std::nullopt;
}

std::string quoteJson(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  auto unit = [&](unsigned value) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
      out += kDigits[value >> shift & 15];
  };
  out.reserve(text.size() + text.size() / 8 + 2);
  for (size_t at = 0; at < text.size();) {
    // Segments without escapes are copied as a whole.
    const size_t first = at;
    while (at < text.size() && isPlain(static_cast<unsigned char>(text[at])))
      ++at;
    out.append(text, first, at - first);
    if (at == text.size())
      break;
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const size_t length = characterLength(text, at);
    if (c == '"' || c == '\\')
      out += std::string("\\") + static_cast<char>(c);
    else if (c == '\n')
      out += "\\n";
    else if (length == 0)
      unit(0xfffd);
    else if (length == 1)
      unit(c);
    else {
      unsigned code = c & (0xff >> (length + 1));
      for (size_t i = 1; i < length; ++i)
        code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
      if (code >= 0x10000) {
        unit(0xd800 + ((code - 0x10000) >> 10));
        unit(0xdc00 + ((code - 0x10000) & 0x3ff));
      } else {
        unit(code);
      }
    }
    at += length ? length : 1;
  }
  return out + '"';
}

std::vector<std::string_view> jsonElements(std::string_view list) {
  std::vector<std::string_view> elements;
  if (list.size() < 2 || list.front() != '[' || list.back() != ']')
    return elements;
  // The text is valid: brackets match and strings end, so only strings and nesting matter here.
  size_t first = 1;
  int nesting = 0;
  bool inString = false;
  auto take = [&](size_t end) {
    std::string_view piece = list.substr(first, end - first);
    const size_t begin = piece.find_first_not_of(" \n\r\t");
    if (begin != std::string_view::npos)
      elements.push_back(piece.substr(begin, piece.find_last_not_of(" \n\r\t") + 1 - begin));
  };
  for (size_t at = 1; at + 1 < list.size(); ++at) {
    const char c = list[at];
    if (inString) {
      if (c == '\\')
        ++at;
      else
        inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      ++nesting;
    } else if (c == ']' || c == '}') {
      --nesting;
    } else if (c == ',' && nesting == 0) {
      take(at);
      first = at + 1;
    }
  }
  take(list.size() - 1);
  return elements;
}

} // namespace mica::trace
