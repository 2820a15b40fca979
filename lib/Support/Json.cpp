//===- Json.cpp - reading and printing JSON ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// nlohmann_json reports the position of a syntax error only by exception or to a SAX handler; the handler below is run
// on the text a second time if the first parse failed.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Support/Json.h"

#include <algorithm>

namespace mica {
namespace {

/// Accepts every event and keeps the first syntax error.
struct ErrorFinder {
  std::string message;
  size_t position = 0;

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(int64_t) { return true; }
  bool number_unsigned(uint64_t) { return true; }
  bool number_float(double, const std::string &) { return true; }
  bool string(std::string &) { return true; }
  bool binary(Json::binary_t &) { return true; }
  bool start_object(size_t) { return true; }
  bool key(std::string &) { return true; }
  bool end_object() { return true; }
  bool start_array(size_t) { return true; }
  bool end_array() { return true; }
  bool parse_error(size_t at, const std::string &, const nlohmann::detail::exception &error) {
    position = at;
    message = error.what();
    return false;
  }
};

constexpr size_t kLineWidth = 110;

std::string dumpCompact(const Json &value) {
  return value.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace);
}

/// Appends a string as dump() gives it.
void printString(const std::string &text, std::string &out) {
  // Nearly all strings need no escapes, for which dump() is slow.
  const bool isPlain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
  if (isPlain)
    ((out += '"') += text) += '"';
  else
    out += dumpCompact(text);
}

/// Appends a value that is neither an object nor a list.
void printScalar(const Json &value, std::string &out) {
  if (value.is_string())
    printString(value.get_ref<const std::string &>(), out);
  else if (value.is_number_unsigned())
    out += std::to_string(value.get<uint64_t>());
  else if (value.is_number_integer())
    out += std::to_string(value.get<int64_t>());
  else
    out += dumpCompact(value);
}

/// Appends a one-line form with a space after each ':' and ',', which dump() does not support.
void printFlat(const Json &value, std::string &out) {
  if (!value.is_structured())
    return printScalar(value, out);
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (auto it = value.begin(); it != value.end(); ++it) {
    out += first ? "" : ", ";
    first = false;
    if (value.is_object()) {
      printString(it.key(), out);
      out += ": ";
    }
    printFlat(*it, out);
  }
  out += value.is_object() ? '}' : ']';
}

/// Whether printFlat would need at most `room` characters; stops when it would not.
bool fits(const Json &value, size_t &room) {
  auto take = [&](size_t n) {
    const bool enough = n <= room;
    room -= enough ? n : room;
    return enough;
  };
  if (value.is_string())
    return take(value.get_ref<const std::string &>().size() + 2);
  if (!value.is_structured()) {
    std::string text;
    printScalar(value, text);
    return take(text.size());
  }
  if (!take(2))
    return false;
  for (auto it = value.begin(); it != value.end(); ++it)
    if (!take(2 + (value.is_object() ? it.key().size() + 4 : 0)) || !fits(*it, room))
      return false;
  return true;
}

void printPretty(const Json &value, size_t indent, size_t column, std::string &out) {
  size_t room = kLineWidth > column ? kLineWidth - column : 0;
  if (!value.is_structured() || value.empty() || fits(value, room))
    return printFlat(value, out);
  const std::string margin(indent + 2, ' ');
  out += value.is_object() ? "{\n" : "[\n";
  bool first = true;
  for (auto it = value.begin(); it != value.end(); ++it) {
    (out += first ? "" : ",\n") += margin;
    first = false;
    size_t start = margin.size();
    if (value.is_object()) {
      const size_t begin = out.size();
      printString(it.key(), out);
      out += ": ";
      start += out.size() - begin;
    }
    printPretty(*it, indent + 2, start, out);
  }
  out += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

/// Describes a value for "found ...": strings and numbers are printed, larger values named.
std::string describe(const Json *value) {
  if (!value)
    return "nothing";
  if (value->is_object())
    return "an object";
  if (value->is_array())
    return "a list";
  std::string text = dumpCompact(*value);
  if (text.size() > 40)
    text = text.substr(0, 37) + "...";
  return text;
}

} // namespace

/// Destroys the contents of `value` so that its destructor needs no auxiliary list.
static void dismantle(Json &value) {
  if (!value.is_structured())
    return;
  for (Json &member : value) {
    dismantle(member);
    if (member.is_structured())
      member.clear();
  }
}

JsonDocument::~JsonDocument() {
  dismantle(value);
  if (value.is_structured())
    value.clear();
}

Result<JsonDocument> parseJson(std::string_view text, std::string_view file) {
  JsonDocument document;
  // As Json::parse(), but into a JsonDocument, so that a partial result is destroyed safely when memory runs out.
  nlohmann::detail::json_sax_dom_parser<Json> builder(document.root(), /*allow_exceptions=*/false);
  if (Json::sax_parse(text.begin(), text.end(), &builder))
    return document;
  ErrorFinder finder;
  Json::sax_parse(text.begin(), text.end(), &finder);
  const size_t at = std::min(finder.position == 0 ? 0 : finder.position - 1, text.size());
  const std::string_view before = text.substr(0, at);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  const size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
  // The library's text is "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ...".
  std::string what = finder.message;
  if (const size_t colon = what.find(": "); colon != std::string::npos)
    what = what.substr(colon + 2);
  const bool truncated = at >= text.size();
  return Error{ErrorCode::Damaged,
               std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column) +
                   (truncated ? ": the file ends too early: " : ": not valid JSON: ") + what,
               ""};
}

std::string printJson(const Json &value) {
  std::string out;
  printPretty(value, 0, 0, out);
  out += '\n';
  return out;
}

void JsonPrinter::addKey(std::string_view key) {
  out += isFirst ? "\n  " : ",\n  ";
  isFirst = false;
  printString(std::string(key), out);
  out += ": ";
}

void JsonPrinter::add(std::string_view key, const Json &value) {
  addKey(key);
  printPretty(value, 2, out.size() - out.rfind('\n') - 1, out);
}

void JsonPrinter::beginList(std::string_view key) {
  addKey(key);
  out += '[';
  isFirst = true;
}

void JsonPrinter::addItem(const Json &item) {
  out += isFirst ? "\n    " : ",\n    ";
  isFirst = false;
  printPretty(item, 4, 4, out);
}

void JsonPrinter::endList() { out += "\n  ]"; }

std::string JsonPrinter::finish() { return std::move(out) + "\n}\n"; }

std::string printJsonLine(const Json &value) { return dumpCompact(value); }

std::string JsonCursor::path() const {
  if (!parent)
    return "the document";
  const std::string step = index >= 0 ? "[" + std::to_string(index) + "]" : key;
  if (!parent->parent)
    return step;
  return parent->path() + (index >= 0 ? "" : ".") + step;
}

void JsonCursor::fail(const std::string &what) const {
  if (!report->failure)
    report->failure = Error{ErrorCode::Damaged, report->file + ": " + path() + " " + what, report->hint};
}

bool JsonCursor::expect(bool holds, std::string_view what) const {
  if (!holds)
    fail("should be " + std::string(what) + ", found " + describe(value));
  return holds;
}

JsonCursor JsonCursor::field(std::string_view name) const {
  const Json *found = nullptr;
  if (expect(value && value->is_object(), "an object")) {
    auto it = value->find(name);
    if (it != value->end())
      found = &*it;
    else
      JsonCursor(nullptr, report, this, name, -1).fail("is missing");
  }
  return JsonCursor(found, report, this, name, -1);
}

bool JsonCursor::has(std::string_view name) const { return value && value->is_object() && value->contains(name); }

std::string JsonCursor::string() const {
  return expect(value && value->is_string(), "a text") ? value->get_ref<const std::string &>() : std::string();
}

bool JsonCursor::boolean() const { return expect(value && value->is_boolean(), "true or false") && value->get<bool>(); }

double JsonCursor::number() const { return expect(value && value->is_number(), "a number") ? value->get<double>() : 0; }

int64_t JsonCursor::integer(int64_t low, int64_t high) const {
  bool isWhole = value && value->is_number_integer();
  if (isWhole && value->is_number_unsigned())
    isWhole = value->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX);
  if (!expect(isWhole, "a whole number"))
    return 0;
  const int64_t number = value->get<int64_t>();
  if (number < low || number > high) {
    fail("is " + std::to_string(number) + ", should be " +
         (high == INT64_MAX  ? "at least " + std::to_string(low)
          : low == INT64_MIN ? "at most " + std::to_string(high)
          : high < low       ? "absent: there is nothing it could name"
                             : "between " + std::to_string(low) + " and " + std::to_string(high)));
    return 0;
  }
  return number;
}

std::vector<std::string> JsonCursor::strings() const {
  std::vector<std::string> result;
  forEach([&](const JsonCursor &item, size_t) { result.push_back(item.string()); });
  return result;
}

std::vector<int64_t> JsonCursor::integers(int64_t low, int64_t high) const {
  std::vector<int64_t> result;
  forEach([&](const JsonCursor &item, size_t) { result.push_back(item.integer(low, high)); });
  return result;
}

} // namespace mica
