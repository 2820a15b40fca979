//===- JsonScan.h - a fast JSON scanner ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A trace consists mostly of JSON, most of which is only validated and forwarded. This scanner validates a text against
// RFC 8259 without building a tree, and returns the members of the outer levels as pieces of the text. It accepts what
// Python writes beyond the standard (NaN, Infinity, lone surrogates) and notes it.
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

/// Contents that strict parsers reject.
struct JsonNotes {
  bool nonFinite = false;   ///< NaN, Infinity or -Infinity as a value
  bool surrogate = false;   ///< a lone surrogate, \ud800
  bool invalidUtf8 = false; ///< bytes that are not UTF-8
  bool any() const { return nonFinite || surrogate || invalidUtf8; }
};

/// A member of an object, as pieces of the scanned text. `key` is without its quotes and not unescaped, `value` is the
/// text of the value without surrounding blanks. `depth` 1 is a member of the outermost object, 2 of a nested object.
struct JsonMember {
  std::string_view key;
  std::string_view value;
  int depth = 1;
};

struct JsonScan {
  bool ok = false;
  size_t errorAt = 0;             ///< if not ok: the position of the first wrong byte
  const char *expected = nullptr; ///< if not ok: the expected token
  JsonNotes notes;
};

/// Checks that `text` is one JSON value, nested at most 500 deep. Members of objects down to `depth` are appended to
/// `members` (may be null), outer ones after the inner ones that they contain. Members before an error are appended
/// too.
JsonScan scanJson(std::string_view text, std::vector<JsonMember> *members = nullptr, int depth = 1);

/// `text`, which scanJson accepted with notes, as strict JSON: non-finite numbers become strings ("NaN"), lone
/// surrogates and invalid bytes become U+FFFD.
std::string strictJson(std::string_view text);

/// `bytes` with invalid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);
bool isUtf8(std::string_view text);

/// Parses a piece of a scanned text; nothing if it has another type.
std::optional<std::string> jsonString(std::string_view value);
std::optional<int64_t> jsonInteger(std::string_view value);
std::optional<double> jsonNumber(std::string_view value);
std::optional<bool> jsonBoolean(std::string_view value);
inline bool isJsonNull(std::string_view value) { return value == "null"; }

/// `text` as a JSON string with quotes, ASCII only, and without '<', so that it may be used inside a script element.
std::string quoteJson(std::string_view text);

/// The elements of a list that scanJson accepted, as pieces of it.
std::vector<std::string_view> jsonElements(std::string_view list);

} // namespace mica::trace

#endif // MICA_TRACE_JSONSCAN_H
