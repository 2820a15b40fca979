//===- EntryCursor.h - reading and writing the bytes of an archive ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the writer and readers of snapshot archives (SnapshotArchive.h describes the format).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_ENTRYCURSOR_H
#define MICA_LIB_COMPILER_SNAPSHOT_ENTRYCURSOR_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace mica::compiler {

/// Larger counts of numbers, and deeper nesting of ops, are invalid.
inline constexpr uint64_t kMostNumbers = UINT16_MAX * 16;
inline constexpr int kMaxOpDepth = 2000;

/// As LEB128.
inline void appendNumber(std::string &bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes.push_back(static_cast<char>(number | 0x80));
  bytes.push_back(static_cast<char>(number));
}

/// Appends a string, preceded by its length.
inline void appendText(std::string &bytes, llvm::StringRef text) {
  appendNumber(bytes, text.size());
  bytes.append(text.data(), text.size());
}

/// Reads numbers; after a truncated number, or one that is out of range, all further ones are 0.
class EntryCursor {
public:
  explicit EntryCursor(llvm::StringRef bytes) : left(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !left.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(left.front());
      left = left.drop_front();
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return good ? value : 0;
    }
    return fail();
  }
  /// Reads the number of following items, each at least one byte long.
  size_t count() {
    const uint64_t value = number();
    return value <= left.size() ? value : fail();
  }
  /// Reads a number below `size`.
  size_t below(size_t size) {
    const uint64_t value = number();
    return value < size ? value : fail();
  }
  llvm::StringRef text() {
    const size_t size = count();
    llvm::StringRef result = left.take_front(size);
    left = left.drop_front(result.size());
    return result;
  }
  /// The bytes of `count` numbers.
  llvm::StringRef numbers(uint64_t count) {
    const char *at = left.begin();
    for (; count > 0 && at != left.end(); ++at)
      count -= !(static_cast<uint8_t>(*at) & 0x80);
    if (count > 0)
      fail();
    llvm::StringRef result = left.take_front(at - left.begin());
    left = left.drop_front(result.size());
    return result;
  }
  char kind() {
    if (left.empty())
      return static_cast<char>(fail());
    const char value = left.front();
    left = left.drop_front();
    return value;
  }
  size_t fail() {
    good = false;
    left = {};
    return 0;
  }
  bool isGood() const { return good; }
  /// The bytes that were not read yet.
  llvm::StringRef rest() const { return left; }
  bool atEnd() const { return left.empty(); }

private:
  llvm::StringRef left;
  bool good = true;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_ENTRYCURSOR_H
