//===- RecordedChanges.cpp - stored comparisons of a record -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordedChanges.h. A line of the file is one comparison; the first line is the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/RecordedChanges.h"

#include "lib/IRTools/ChangeGroups.h"
#include "mica/Artifact/ChangesFile.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"
#include "mica/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <filesystem>

using namespace mica;
using namespace mica::irtools;
namespace json = llvm::json;

/// The prefix of a line, and the length of the key after it.
static constexpr llvm::StringLiteral kLineHead = "{\"key\":\"";
static constexpr size_t kKeyLength = 32;

static constexpr std::array<ChangeKind, 4> kKinds = {ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed,
                                                     ChangeKind::Moved};

static std::string headLine() {
  return "{\"format\":\"mica-changes\",\"schema\":\"1.0\",\"mica\":\"" + std::string(version()) + "\"}";
}

static std::string fileOf(const std::string &folder) {
  return (std::filesystem::path(folder) / artifact::kChangesFile).string();
}

static std::shared_ptr<ShownText> makeText(std::string name) {
  auto text = std::make_shared<ShownText>();
  text->name = std::move(name);
  return text;
}

void irtools::dropTexts(Comparison &comparison, KeptTexts kept) {
  if (kept == KeptTexts::All || comparison.lines)
    return;
  comparison.lines = comparison.countLines();
  comparison.rows = {};
  if (kept == KeptTexts::Own) {
    comparison.ownBefore = ownTextOf(*comparison.before);
    comparison.ownAfter = ownTextOf(*comparison.after);
  }
  comparison.before = makeText(comparison.before->name);
  comparison.after = makeText(comparison.after->name);
  if (!comparison.diff)
    return;
  // Ops are destroyed with their documents.
  comparison.diff->pairs = {};
  for (Change &change : comparison.diff->changes)
    change.before.op = change.after.op = nullptr;
}

//===------------------------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// Prints a comparison. File names are relative to the record's folder, which may be moved.
class LineWriter {
public:
  explicit LineWriter(llvm::StringRef folder) : prefix(folder.str()), out(os) {
    if (!folder.ends_with("/"))
      prefix += "/";
  }

  /// The line, or "" if a text is not UTF-8 and would not round-trip.
  std::string print(llvm::StringRef key, const Comparison &comparison);

private:
  void text(llvm::StringRef key, llvm::StringRef value) { out.attribute(key, checked(value)); }
  llvm::StringRef checked(llvm::StringRef value) {
    const bool isValid = json::isUTF8(value);
    isClean &= isValid;
    return isValid ? value : "";
  }
  llvm::StringRef relative(llvm::StringRef name) {
    name.consume_front(prefix);
    return name;
  }
  void side(llvm::StringRef key, const ShownText &shown);
  void change(const Change &change);
  void place(llvm::StringRef key, const Place &place);
  void rows(const std::vector<Row> &rows);
  void origins(const ModuleDiff &diff);
  void list(llvm::ArrayRef<int64_t> numbers) {
    out.array([&] {
      for (int64_t number : numbers)
        out.value(number);
    });
  }

  std::string prefix, line;
  llvm::raw_string_ostream os{line};
  json::OStream out;
  llvm::DenseMap<const Origin *, int64_t> originNumbers;
  bool isClean = true;
};
} // namespace

void LineWriter::side(llvm::StringRef key, const ShownText &shown) {
  out.attributeObject(key, [&] {
    text("name", relative(shown.name));
    const std::optional<OwnText> own = ownTextOf(shown);
    if (!own)
      return;
    if (shown.isOwn)
      return text("text", own->text);
    const int64_t count = llvm::StringRef(own->text).count('\n');
    out.attributeBegin("part");
    list({own->firstLine, own->firstLine + count - 1});
    out.attributeEnd();
  });
}

void LineWriter::origins(const ModuleDiff &diff) {
  auto strings = [&](const std::vector<std::string> &texts) {
    out.array([&] {
      for (const std::string &each : texts)
        out.value(checked(each));
    });
  };
  out.attributeArray("origins", [&] {
    for (const Change &change : diff.changes)
      for (const Place *place : {&change.before, &change.after})
        if (place->origin &&
            originNumbers.try_emplace(place->origin.get(), static_cast<int64_t>(originNumbers.size())).second)
          out.array([&] {
            strings(place->origin->ids);
            strings(place->origin->sources);
          });
  });
}

void LineWriter::place(llvm::StringRef key, const Place &place) {
  if (place.exists)
    out.attributeObject(key, [&] {
      out.attribute("line", place.line);
      text("in", place.path);
      if (place.origin)
        out.attribute("origin", originNumbers.lookup(place.origin.get()));
    });
}

void LineWriter::change(const Change &change) {
  out.object([&] {
    out.attribute("kind", changeName(change.kind));
    text("op", change.op);
    place("before", change.before);
    place("after", change.after);
    if (!change.details.empty())
      out.attributeArray("details", [&] {
        for (const Detail &detail : change.details)
          out.array([&] {
            for (const std::string *each : {&detail.what, &detail.before, &detail.after})
              out.value(checked(*each));
          });
      });
    if (!change.lines.empty())
      out.attributeArray("lines", [&] {
        for (auto [first, last] : change.lines)
          list({first, last});
      });
    if (change.nested)
      out.attribute("nested", change.nested);
    if (change.rewired)
      out.attribute("rewired", change.rewired);
    if (!change.note.empty())
      text("note", change.note);
  });
}

/// The row after `row` if both texts continue equally.
static Row nextOf(const Row &row) { return {row.kind, row.before ? row.before + 1 : 0, row.after ? row.after + 1 : 0}; }

static bool areEqual(const Row &a, const Row &b) {
  return a.kind == b.kind && a.before == b.before && a.after == b.after;
}

void LineWriter::rows(const std::vector<Row> &rows) {
  out.attributeArray("rows", [&] {
    for (size_t i = 0; i < rows.size();) {
      size_t end = i + 1;
      while (end < rows.size() && areEqual(rows[end], nextOf(rows[end - 1])))
        ++end;
      list({static_cast<int64_t>(rows[i].kind), rows[i].before, rows[i].after, static_cast<int64_t>(end - i)});
      i = end;
    }
  });
}

std::string LineWriter::print(llvm::StringRef key, const Comparison &comparison) {
  out.object([&] {
    out.attribute("key", key);
    side("before", *comparison.before);
    side("after", *comparison.after);
    if (comparison.diff) {
      out.attribute("ops_before", comparison.diff->opsBefore);
      out.attribute("ops_after", comparison.diff->opsAfter);
      origins(*comparison.diff);
      out.attributeArray("changes", [&] {
        for (const Change &each : comparison.diff->changes)
          change(each);
      });
    } else {
      text("as_text_because", relative(comparison.fallback));
    }
    rows(comparison.rows);
  });
  return isClean ? line : "";
}

//===------------------------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------------------------===//

static std::string textIn(const json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

static const json::Array &list(const json::Object &object, llvm::StringRef key) {
  static const json::Array none;
  const json::Array *found = object.getArray(key);
  return found ? *found : none;
}

static int64_t number(const json::Array &list, size_t at) {
  return at < list.size() ? list[at].getAsInteger().value_or(0) : 0;
}

static std::vector<std::string> strings(const json::Value &value) {
  std::vector<std::string> out;
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &each : *array)
      out.push_back(each.getAsString().value_or("").str());
  return out;
}

using Origins = std::vector<std::shared_ptr<const Origin>>;

static Place readPlace(const json::Object &change, llvm::StringRef side, const Origins &origins) {
  Place place;
  const json::Object *found = change.getObject(side);
  if (!found)
    return place;
  place.exists = true;
  place.line = found->getInteger("line").value_or(0);
  place.path = textIn(*found, "in");
  const int64_t origin = found->getInteger("origin").value_or(-1);
  if (origin >= 0 && origin < static_cast<int64_t>(origins.size()))
    place.origin = origins[origin];
  return place;
}

static Change readChange(const json::Object &object, const Origins &origins) {
  Change change;
  const std::string kind = textIn(object, "kind");
  for (ChangeKind each : kKinds)
    if (kind == changeName(each))
      change.kind = each;
  change.op = textIn(object, "op");
  change.before = readPlace(object, "before", origins);
  change.after = readPlace(object, "after", origins);
  for (const json::Value &value : list(object, "details"))
    if (std::vector<std::string> detail = strings(value); detail.size() == 3)
      change.details.push_back({std::move(detail[0]), std::move(detail[1]), std::move(detail[2])});
  for (const json::Value &value : list(object, "lines"))
    if (const json::Array *span = value.getAsArray())
      change.lines.push_back({number(*span, 0), number(*span, 1)});
  change.nested = object.getInteger("nested").value_or(0);
  change.rewired = object.getInteger("rewired").value_or(0);
  change.note = textIn(object, "note");
  return change;
}

static ModuleDiff readDiff(const json::Object &object) {
  ModuleDiff diff;
  diff.opsBefore = object.getInteger("ops_before").value_or(0);
  diff.opsAfter = object.getInteger("ops_after").value_or(0);
  Origins origins;
  for (const json::Value &value : list(object, "origins"))
    if (const json::Array *origin = value.getAsArray(); origin && origin->size() == 2)
      origins.push_back(std::make_shared<const Origin>(Origin{strings((*origin)[0]), strings((*origin)[1])}));
  for (const json::Value &value : list(object, "changes"))
    if (const json::Object *change = value.getAsObject())
      diff.changes.push_back(readChange(*change, origins));
  groupChanges(diff);
  return diff;
}

/// The rows of texts with `linesBefore` and `linesAfter` lines; nothing if a line is out of range.
static std::optional<std::vector<Row>> readRows(const json::Array &spans, int64_t linesBefore, int64_t linesAfter) {
  std::vector<Row> rows;
  for (const json::Value &value : spans) {
    const json::Array *span = value.getAsArray();
    if (!span || number(*span, 0) < 0 || number(*span, 0) > static_cast<int64_t>(RowKind::Changed))
      return std::nullopt;
    Row row{static_cast<RowKind>(number(*span, 0)), number(*span, 1), number(*span, 2)};
    const int64_t count = number(*span, 3);
    auto fits = [&](int64_t line, int64_t lines) {
      return line == 0 || (line > 0 && line <= lines && count <= lines - line + 1);
    };
    if (count < 1 || (!row.before && !row.after) || !fits(row.before, linesBefore) || !fits(row.after, linesAfter))
      return std::nullopt;
    for (int64_t i = 0; i < count; ++i, row = nextOf(row))
      rows.push_back(row);
  }
  return rows;
}

static Comparison::LineCounts countLines(const json::Array &spans) {
  Comparison::LineCounts count;
  for (const json::Value &value : spans)
    if (const json::Array *span = value.getAsArray()) {
      const auto kind = static_cast<RowKind>(number(*span, 0));
      const int64_t lines = std::clamp<int64_t>(number(*span, 3), 0, UINT32_MAX);
      count.added += kind == RowKind::Added || kind == RowKind::Changed ? lines : 0;
      count.removed += kind == RowKind::Removed || kind == RowKind::Changed ? lines : 0;
    }
  return count;
}

RecordedChanges::RecordedChanges(std::string folder) : folder(std::move(folder)) {
  const std::string file = fileOf(this->folder);
  Result<std::string> data = readFile(file);
  if (!data)
    return;
  Result<std::string> lines = decompress(*data, file);
  if (!lines)
    return;
  contents = std::move(*lines);
  auto [head, rest] = llvm::StringRef(contents).split('\n');
  if (head != headLine())
    return;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    rest = next;
    if (line.starts_with(kLineHead) && line.size() > kLineHead.size() + kKeyLength)
      known.try_emplace(line.substr(kLineHead.size(), kKeyLength), line);
  }
}

SharedText RecordedChanges::readText(const std::string &name) {
  for (const auto &[known, text] : last)
    if (text && known == name)
      return text;
  Result<std::string> contents = artifact::readText(std::filesystem::path(folder) / name);
  if (!contents)
    return nullptr;
  std::shared_ptr<ShownText> text = makeText(name);
  text->text = splitLines(*contents);
  std::swap(last[0], last[1]);
  last[1] = {name, text};
  return text;
}

/// "0012_cse.mlir" of "0012_cse.mlir and 2 newer parts of it".
static std::string fileNameOf(const std::string &name) { return name.substr(0, name.find(" and ")); }

SharedText RecordedChanges::readSide(const json::Object &side, KeptTexts kept, std::optional<OwnText> &own) {
  const std::string name = textIn(side, "name");
  std::shared_ptr<ShownText> shown = makeText((std::filesystem::path(folder) / name).string());
  const json::Array *part = side.getArray("part");
  if (std::optional<llvm::StringRef> given = side.getString("text")) {
    if (kept == KeptTexts::Own)
      own = OwnText{1, given->str()};
    if (kept == KeptTexts::All) {
      shown->isOwn = true;
      shown->text = splitLines(*given);
    }
    return shown;
  }
  if (kept == KeptTexts::None || (kept == KeptTexts::Own && !part))
    return shown;
  // Records may come from others, so only files inside of the folder are read.
  const std::string file = fileNameOf(name);
  if (std::filesystem::path(file).has_parent_path())
    return nullptr;
  const SharedText whole = readText(file);
  if (!whole)
    return nullptr;
  const auto lines = static_cast<int64_t>(whole->text.size());
  const int64_t first = part ? number(*part, 0) : 1, end = part ? number(*part, 1) : lines;
  if (first < 1 || end > lines)
    return nullptr;
  if (kept == KeptTexts::Own) {
    own = OwnText{first, ""};
    for (int64_t line = first; line <= end; ++line)
      own->text += whole->text[line - 1] + "\n";
    return shown;
  }
  shown->text = whole->text;
  for (int64_t line = 1; line <= lines; ++line)
    if (line < first || line > end)
      shown->hidden.push_back(line);
  return shown;
}

std::optional<Comparison> RecordedChanges::find(const std::string &key, KeptTexts kept) {
  const auto found = known.find(key);
  if (found == known.end())
    return std::nullopt;
  llvm::Expected<json::Value> value = json::parse(found->second);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!value)
    llvm::consumeError(value.takeError());
  const json::Object *before = object ? object->getObject("before") : nullptr;
  const json::Object *after = object ? object->getObject("after") : nullptr;
  if (!before || !after)
    return std::nullopt;
  Comparison comparison;
  comparison.before = readSide(*before, kept, comparison.ownBefore);
  comparison.after = readSide(*after, kept, comparison.ownAfter);
  if (!comparison.before || !comparison.after)
    return std::nullopt;
  const json::Array &rows = list(*object, "rows");
  if (kept == KeptTexts::All) {
    std::optional<std::vector<Row>> read = readRows(rows, static_cast<int64_t>(comparison.before->text.size()),
                                                    static_cast<int64_t>(comparison.after->text.size()));
    if (!read)
      return std::nullopt;
    comparison.rows = std::move(*read);
  } else {
    comparison.lines = countLines(rows);
  }
  if (object->get("changes"))
    comparison.diff = readDiff(*object);
  else
    comparison.fallback = (std::filesystem::path(folder) / textIn(*object, "as_text_because")).string();
  current.push_back(found->second.str());
  return comparison;
}

std::string RecordedChanges::print(const std::string &key, const Comparison &comparison) const {
  return LineWriter(folder).print(key, comparison);
}

void RecordedChanges::add(std::string line) {
  if (line.empty())
    return;
  current.push_back(std::move(line));
  hasNews = true;
}

void RecordedChanges::write() {
  if (!std::exchange(hasNews, false))
    return;
  // Threads add them in any order.
  llvm::sort(current);
  Compressor file;
  file.add(headLine() + "\n");
  for (const std::string &line : current)
    file.add(line + "\n");
  // If this fails, the next call compares again.
  (void)writeFileAtomic(fileOf(folder), file.finish());
}
