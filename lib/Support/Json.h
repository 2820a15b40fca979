//===- Json.h - reading and printing JSON ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private to the std half: nlohmann_json without exceptions. A JsonCursor points to one value and knows its path, so
// that every error names file and key; the first error of a read is kept, later ones are dropped, and after it reads
// return defaults. So a reader is straight-line code that checks for errors once at the end.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_SUPPORT_JSON_H
#define MICA_LIB_SUPPORT_JSON_H

#include "mica/Support/Status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// Objects keep the order their keys were written in.
using Json = nlohmann::ordered_json;

/// A parsed text. The destructor of its value would allocate, and so abort a process that is out of memory; this class
/// avoids that.
class JsonDocument {
public:
  JsonDocument() = default;
  JsonDocument(JsonDocument &&) = default;
  JsonDocument &operator=(JsonDocument &&) = default;
  ~JsonDocument();
  const Json &root() const { return value; }
  Json &root() { return value; }

private:
  Json value;
};

/// Parses `text`. The error names `file`, line and column and says whether the text ended too early.
Result<JsonDocument> parseJson(std::string_view text, std::string_view file);

/// Text for readers and diffs: values that fit into a line are printed on one. Ends with a newline. Invalid UTF-8 is
/// replaced.
std::string printJson(const Json &value);

/// Prints one object as printJson does, but incrementally by member and list item, so that only one item is in memory,
/// which is several times faster for files of megabytes.
class JsonPrinter {
public:
  void add(std::string_view key, const Json &value);
  /// Adds a list with `print` of each item.
  template <typename Items, typename Print> void addList(std::string_view key, const Items &items, Print print) {
    // More items than fit into a line.
    if (items.size() <= kFlatItems) {
      Json list = Json::array();
      for (const auto &item : items)
        list.push_back(print(item));
      return add(key, list);
    }
    beginList(key);
    for (const auto &item : items)
      addItem(print(item));
    endList();
  }
  /// Returns the text. To be called once; the object must not fit into a line.
  std::string finish();

private:
  static constexpr size_t kFlatItems = 64;
  void addKey(std::string_view key);
  void beginList(std::string_view key);
  void addItem(const Json &item);
  void endList();

  std::string out = "{";
  bool isFirst = true;
};

/// One line, for JSON-lines files; no newline.
std::string printJsonLine(const Json &value);

/// The file that is read, and its first error.
struct JsonReport {
  std::string file;
  std::string hint; ///< for every error of this file
  std::optional<Error> failure;
};

/// A position in a JSON document. A child refers to its parent: keep the parent alive.
class JsonCursor {
public:
  JsonCursor(const Json &root, JsonReport &report) : value(&root), report(&report) {}

  /// The member `key`; an error if it is missing or this is not an object.
  JsonCursor field(std::string_view key) const;
  bool has(std::string_view key) const;

  std::string string() const;
  bool boolean() const;
  double number() const;
  /// An integer in [low, high].
  int64_t integer(int64_t low = INT64_MIN, int64_t high = INT64_MAX) const;
  std::vector<std::string> strings() const;
  std::vector<int64_t> integers(int64_t low = INT64_MIN, int64_t high = INT64_MAX) const;

  /// Calls `visit(cursor, position)` for each element of an array, until an error.
  template <typename Visit> void forEach(Visit visit) const {
    if (!expect(value && value->is_array(), "a list"))
      return;
    for (size_t i = 0; i < value->size() && !report->failure; ++i)
      visit(JsonCursor(&(*value)[i], report, this, {}, static_cast<int64_t>(i)), i);
  }
  /// Calls `visit(key, cursor)` for each member of an object, until an error.
  template <typename Visit> void forEachMember(Visit visit) const {
    if (!expect(value && value->is_object(), "an object"))
      return;
    for (auto it = value->begin(); it != value->end() && !report->failure; ++it)
      visit(it.key(), JsonCursor(&it.value(), report, this, it.key(), -1));
  }

  /// Records "<file>: <path> <what>" unless an error is recorded already.
  void fail(const std::string &what) const;
  bool failed() const { return report->failure.has_value(); }
  /// "kernels[3].bindings[0].dtype"; "the document" for the root.
  std::string path() const;

private:
  JsonCursor(const Json *value, JsonReport *report, const JsonCursor *parent, std::string_view key, int64_t index)
      : value(value), report(report), parent(parent), key(key), index(index) {}

  /// Records "expected <what>, found <value>" if `holds` is false.
  bool expect(bool holds, std::string_view what) const;

  const Json *value = nullptr; ///< null after an error
  JsonReport *report;
  const JsonCursor *parent = nullptr;
  std::string key;
  int64_t index = -1;
};

} // namespace mica

#endif // MICA_LIB_SUPPORT_JSON_H
