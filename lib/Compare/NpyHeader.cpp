//===- NpyHeader.cpp - the header of an .npy file ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Parses the part of Python's literals that NumPy writes: a dictionary of strings, True and False, and tuples of
// integers.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Compare/NpyHeader.h"

#include <charconv>
#include <optional>

namespace mica {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

/// Parses the dictionary's text. After an error `good` is false and all functions do nothing.
class LiteralReader {
public:
  explicit LiteralReader(std::string_view text) : text(text) {}

  bool good = true;

  void skipSpaces() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  char peek() {
    skipSpaces();
    return at < text.size() ? text[at] : '\0';
  }
  bool take(char c) {
    if (peek() != c)
      return false;
    ++at;
    return true;
  }
  void expect(char c) { good = take(c) && good; }
  bool takeWord(std::string_view word) {
    skipSpaces();
    if (!text.substr(at).starts_with(word))
      return false;
    at += word.size();
    return true;
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') {
      good = false;
      return "";
    }
    const size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos) {
      good = false;
      return "";
    }
    std::string value(text.substr(at + 1, end - at - 1));
    at = end + 1;
    return value;
  }
  int64_t number() {
    skipSpaces();
    int64_t value = -1;
    auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    good = good && error == std::errc() && value >= 0;
    at = static_cast<size_t>(end - text.data());
    if (at < text.size() && text[at] == 'L') // Python 2
      ++at;
    return value;
  }
  /// Skips a bracketed value, for descr lists.
  void skipList() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '\0') {
        good = false;
        return;
      }
      if (c == '\'' || c == '"') {
        quoted();
        continue;
      }
      depth += c == '[' || c == '(';
      depth -= c == ']' || c == ')';
      ++at;
    } while (depth > 0 && good);
  }

private:
  std::string_view text;
  size_t at = 0;
};

Error damaged(std::string_view file, const std::string &what) {
  return Error{ErrorCode::Damaged, std::string(file) + ": " + what, "save it again with numpy.save"};
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::string_view contents, std::string_view file) {
  if (contents.size() < kMagic.size() || contents.substr(0, kMagic.size()) != kMagic) {
    const std::string hint =
        contents.starts_with("PK") ? "this is a zip file: name it .npz" : "give a file that numpy.save wrote";
    return Error{ErrorCode::Damaged, std::string(file) + ": not an .npy file (it does not begin with \\x93NUMPY)",
                 hint};
  }
  if (contents.size() < 10)
    return damaged(file, "cut off in the header: " + std::to_string(contents.size()) + " bytes");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(contents[i])); };
  const size_t major = byte(6);
  if (major < 1 || major > 3)
    return Error{ErrorCode::Unsupported,
                 std::string(file) + ": .npy version " + std::to_string(major) + "." + std::to_string(byte(7)) +
                     ", versions 1 to 3 are known",
                 "save it again with numpy.save"};
  const size_t start = major == 1 ? 10 : 12;
  if (contents.size() < start)
    return damaged(file, "cut off in the header: " + std::to_string(contents.size()) + " bytes");
  size_t length = byte(8) | byte(9) << 8;
  if (major > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (contents.size() - start < length)
    return damaged(file, "cut off in the header: " + std::to_string(contents.size()) + " bytes, the header ends at " +
                             std::to_string(start + length));

  NpyHeader header;
  header.dataOffset = start + length;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  LiteralReader reader(contents.substr(start, length));
  reader.expect('{');
  while (reader.good && !reader.take('}')) {
    const std::string key = reader.quoted();
    reader.expect(':');
    if (key == "descr") {
      hasDescr = true;
      if (reader.peek() == '[')
        reader.skipList();
      else
        header.descr = reader.quoted();
    } else if (key == "fortran_order") {
      hasOrder = true;
      header.fortranOrder = reader.takeWord("True");
      reader.good = reader.good && (header.fortranOrder || reader.takeWord("False"));
    } else if (key == "shape") {
      hasShape = true;
      reader.expect('(');
      while (reader.good && !reader.take(')')) {
        header.shape.push_back(reader.number());
        if (!reader.take(',')) {
          reader.expect(')');
          break;
        }
      }
    } else {
      reader.good = false;
    }
    if (!reader.take(',')) {
      reader.expect('}');
      break;
    }
  }
  if (!reader.good || !hasDescr || !hasOrder || !hasShape)
    return damaged(file, "the header is not a dictionary of descr, fortran_order and shape");
  return header;
}

} // namespace mica
