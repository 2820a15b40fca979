//===- JsonScan.h - JSON at the speed of the log ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A trace holds more JSON than anything else, and most of it is only checked and passed on. This scanner checks a text
// against RFC 8259 without building it, and hands out the members of the outer levels as pieces of the text. It takes
// what Python writes beyond the standard (NaN, Infinity, lone surrogates) and says so.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_JSONSCAN_H
#define MICA_TRACE_JSONSCAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::trace {

/// What a text holds that strict readers refuse.
struct JsonNotes {
  bool nonFinite = false;   ///< NaN, Infinity or -Infinity as a value
  bool surrogate = false;   ///< an escape of half a character, \ud800
  bool invalidUtf8 = false; ///< bytes that are no UTF-8
  bool any() const { return nonFinite || surrogate || invalidUtf8; }
};

/// A member of an object, as pieces of the scanned text. `key` is without its quotes and not unescaped, `value` is the
/// text of the value without surrounding blanks. `depth` 1 is a member of the outermost object, 2 of an object that is
/// its member.
struct JsonMember {
  std::string_view key;
  std::string_view value;
  int depth = 1;
};

struct JsonScan {
  bool ok = false;
  size_t errorAt = 0;             ///< where not ok: the position of the first wrong byte
  const char *expected = nullptr; ///< where not ok: what should stand there
  JsonNotes notes;
};

/// Checks that `text` is one JSON value, nested at most 500 deep. Members of objects down to `depth` are appended to
/// `members` (may be null), outer ones after the inner ones they hold. Members before an error are appended too.
JsonScan scanJson(std::string_view text, std::vector<JsonMember> *members = nullptr, int depth = 1);

/// `text`, which scanJson took with notes, as JSON that every reader takes: non-finite numbers become strings ("NaN"),
/// halves of characters and invalid bytes become U+FFFD.
std::string strictJson(std::string_view text);

/// Bytes with everything that is no UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);
bool isUtf8(std::string_view text);

/// A piece of a scanned text as a value; nothing where it is of another type.
std::optional<std::string> jsonString(std::string_view value);
std::optional<int64_t> jsonInteger(std::string_view value);
std::optional<double> jsonNumber(std::string_view value);
std::optional<bool> jsonBoolean(std::string_view value);
inline bool isJsonNull(std::string_view value) { return value == "null"; }

/// `text` as a JSON string with its quotes, ASCII only, and no '<', so that it may stand in a script.
std::string quoteJson(std::string_view text);

/// Elements of a list that scanJson took, as pieces of it.
std::vector<std::string_view> jsonElements(std::string_view list);

} // namespace mica::trace

#endif // MICA_TRACE_JSONSCAN_H
