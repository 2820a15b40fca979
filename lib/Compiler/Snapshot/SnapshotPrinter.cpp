//===- SnapshotPrinter.cpp - printing IR with a map from lines to op ids ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SnapshotPrinter.h. The printer reports the line of each op (AsmState::LocationMap), so the map costs a walk over
// the ops and one entry per distinct location.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Snapshot/SnapshotPrinter.h"

#include "mica/Support/Schemas.h"

#include "dialects/Mica/IR/LineMapRows.h"
#include "dialects/Mica/IR/OpIds.h"
#include "lib/Compiler/Snapshot/TextPrinter.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <charconv>
#include <climits>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Whether the flags are the defaults of Operation::print().
static bool areDefault(const OpPrintingFlags &flags) {
  return !flags.shouldPrintGenericOpForm() && !flags.shouldPrintDebugInfo() && !flags.shouldUseLocalScope() &&
         !flags.shouldPrintValueUsers() && !flags.shouldSkipRegions() && !flags.shouldPrintUniqueSSAIDs() &&
         !flags.shouldUseNameLocAsPrefix();
}

Snapshot compiler::printSnapshot(Operation *op, const SnapshotOptions &options, TextPrinter *printer,
                                 llvm::ArrayRef<BuiltOp> built) {
  OpPrintingFlags flags;
  // A limit of 0 keeps the printer from converting the weights to hexadecimal.
  flags.elideLargeResourceString(0);
  if (options.generic)
    flags.printGenericOpForm();
  if (options.assumeVerified)
    flags.assumeVerified();
  if (printer && options.assumeVerified && areDefault(flags))
    if (std::optional<Snapshot> snapshot = printer->print(op, built))
      return std::move(*snapshot);
  AsmState::LocationMap positions;
  Snapshot snapshot;
  {
    AsmState state(op, flags, &positions);
    llvm::raw_string_ostream os(snapshot.text);
    os.SetBufferSize(1 << 16); // the printer writes a few characters at a time
    op->print(os, state);
    os << "\n";
    os.flush();
  }
  snapshot.lines.reserve(positions.size());
  for (auto &[printed, position] : positions)
    snapshot.lines.push_back({position.first, position.second, printed->getLoc(), printed});
  llvm::sort(snapshot.lines, [](const Snapshot::Line &a, const Snapshot::Line &b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return snapshot;
}

/// "file:line:col".
static std::string positionString(FileLineColLoc position) {
  return (position.getFilename().getValue() + ":" + llvm::Twine(position.getLine()) + ":" +
          llvm::Twine(position.getColumn()))
      .str();
}

/// Start offsets of the lines of `text`; line n (from 1) is at [n - 1].
static std::vector<size_t> lineStarts(llvm::StringRef text) {
  std::vector<size_t> starts{0};
  for (size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

static llvm::StringRef lineAt(llvm::StringRef text, const std::vector<size_t> &starts, unsigned line) {
  if (line == 0 || line > starts.size())
    return {};
  return text.drop_front(starts[line - 1]).take_until([](char c) { return c == '\n'; }).trim();
}

static uint32_t hashOfLine(llvm::StringRef line) { return static_cast<uint32_t>(llvm::xxh3_64bits(line)); }

/// Eight hexadecimal digits for each line of `text`.
static std::string hashesOf(llvm::StringRef text) {
  std::string digits;
  digits.reserve((text.count('\n') + 1) * 8);
  for (bool isLast = false; !isLast;) {
    const size_t end = text.find('\n');
    isLast = end == llvm::StringRef::npos;
    uint32_t hash = hashOfLine(text.take_front(end).trim());
    char shown[8];
    for (int digit = 7; digit >= 0; --digit, hash >>= 4)
      shown[digit] = "0123456789abcdef"[hash & 15];
    digits.append(shown, sizeof(shown));
    text = text.substr(isLast ? text.size() : end + 1);
  }
  return digits;
}

namespace {
/// The sets of a map: locations with equal ids and sources share one.
class MapSets {
public:
  struct Entry {
    unsigned set = 0;
    FileLineColLoc position;
  };
  explicit MapSets(MappedLocations &locations) : locations(locations) {}
  Entry of(Location location) {
    if (static_cast<Attribute>(location) == last)
      return lastEntry;
    last = location;
    return lastEntry = find(location);
  }
  std::string text() const { return "[" + llvm::join(texts, ",\n") + "]"; }

private:
  Entry find(Location location) {
    auto [it, isNew] = byLocation.try_emplace(location);
    if (isNew) {
      const MappedLocations::Entry entry = locations.of(location);
      auto [set, isNewText] = byText.try_emplace(entry.set, byText.size());
      if (isNewText)
        texts.push_back(*entry.set);
      it->second = {set->second, entry.position};
    }
    return it->second;
  }

  MappedLocations &locations;
  Attribute last; ///< most lines have the location of the previous line
  Entry lastEntry;
  llvm::DenseMap<Attribute, Entry> byLocation;
  llvm::DenseMap<const std::string *, unsigned> byText;
  llvm::SmallVector<llvm::StringRef> texts;
};
} // namespace

static bool isLineMark(FusedLoc location) {
  auto tag = dyn_cast_if_present<StringAttr>(location.getMetadata());
  return tag && tag.getValue() == kLinePositionTag;
}

/// Adds `text` as JSON.
static void addQuoted(std::string &to, llvm::StringRef text) {
  // True for nearly all texts.
  if (llvm::all_of(text, [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; })) {
    ((to += '"') += text) += '"';
    return;
  }
  llvm::raw_string_ostream os(to);
  llvm::json::OStream(os).value(llvm::json::fixUTF8(text));
}

static std::string printSet(Location location) {
  std::string result = "{\"ids\":[";
  auto addAll = [&](auto &&texts) {
    const char *separator = "";
    for (const auto &text : texts) {
      result += std::exchange(separator, ",");
      addQuoted(result, text);
    }
  };
  addAll(getOpIds(location));
  result += "],\"sources\":[";
  addAll(llvm::map_range(getSourcePositions(location), positionString));
  result += "]}";
  return result;
}

MappedLocations::Entry MappedLocations::of(Location location) {
  {
    std::lock_guard lock(mutex);
    if (auto it = known.find(location); it != known.end())
      return it->second;
  }
  // Besides its position in a printed file, an op has a location that it shares with others.
  Location origin = location;
  if (auto fused = dyn_cast<FusedLoc>(location); fused && fused.getLocations().size() == 2)
    if (auto marked = dyn_cast<FusedLoc>(fused.getLocations().front()); marked && isLineMark(marked))
      origin = fused.getLocations().back();
  Entry entry;
  entry.position = getLinePosition(location);
  std::string text = printSet(origin);
  std::lock_guard lock(mutex);
  entry.set = &*texts.insert(std::move(text)).first;
  return known[location] = entry;
}

/// Prints a map; `hashes` is the text of the member, empty for none.
static std::string printLineMap(llvm::ArrayRef<std::pair<unsigned, Location>> lines, llvm::StringRef file,
                                llvm::StringRef hashes, MappedLocations *locations) {
  MappedLocations own;
  MapSets sets(locations ? *locations : own);
  llvm::MapVector<Attribute, unsigned> kernelFiles;
  std::string rows;
  rows.reserve(lines.size() * 16);
  auto add = [&](std::initializer_list<unsigned> numbers) {
    char row[64], *at = row; // at most five numbers
    if (!rows.empty()) {
      *at++ = ',';
      *at++ = '\n';
    }
    *at++ = '[';
    for (unsigned number : numbers) {
      at = std::to_chars(at, std::end(row), number).ptr;
      *at++ = ',';
    }
    at[-1] = ']';
    rows.append(row, at);
  };
  unsigned first = 0, last = 0, setOfRun = 0; // of lines that are not in `rows` yet
  auto flush = [&] {
    if (first)
      add({first, last, setOfRun});
    first = 0;
  };
  unsigned lastLine = 0;
  for (auto [line, location] : lines) {
    if (line == lastLine)
      continue;
    lastLine = line;
    const auto [set, position] = sets.of(location);
    if (position) {
      flush();
      unsigned number = kernelFiles.try_emplace(position.getFilename(), kernelFiles.size()).first->second;
      add({line, line, set, number, position.getLine()});
      continue;
    }
    if (first && line == last + 1 && set == setOfRun) {
      last = line;
      continue;
    }
    flush();
    first = last = line;
    setOfRun = set;
  }
  flush();
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", schemaNumber(Schema::LineMap));
    json.attribute("file", llvm::json::fixUTF8(file));
    json.attributeBegin("sets");
    json.rawValue(sets.text());
    json.attributeEnd();
    if (!kernelFiles.empty())
      json.attributeArray("kernels", [&] {
        for (auto &[name, number] : kernelFiles)
          json.value(llvm::json::fixUTF8(cast<StringAttr>(name).getValue()));
      });
    json.attributeBegin("lines");
    json.rawValue("[" + rows + "]");
    json.attributeEnd();
    if (!hashes.empty()) {
      json.attributeBegin("hashes");
      json.rawValue(("\"" + hashes + "\"").str());
      json.attributeEnd();
    }
  });
  os << "\n";
  return result;
}

std::string compiler::printLineMap(llvm::ArrayRef<std::pair<unsigned, Location>> lines, llvm::StringRef file) {
  return ::printLineMap(lines, file, "", nullptr);
}

std::string compiler::printLineMap(const Snapshot &snapshot, llvm::StringRef file, bool hashes,
                                   MappedLocations *locations) {
  std::vector<std::pair<unsigned, Location>> lines;
  lines.reserve(snapshot.lines.size());
  for (const Snapshot::Line &line : snapshot.lines)
    lines.push_back({line.line, line.location});
  return ::printLineMap(lines, file, hashes ? hashesOf(snapshot.text) : "", locations);
}

//===------------------------------------------------------------------------------------------------------------===//
// Positions in a printed snapshot
//===------------------------------------------------------------------------------------------------------------===//

Location compiler::withLinePosition(Location location, llvm::StringRef file, unsigned line, unsigned column) {
  MLIRContext *context = location.getContext();
  auto position = FileLineColLoc::get(context, file, line, column);
  Location marked = FusedLoc::get(context, {position}, StringAttr::get(context, kLinePositionTag));
  return FusedLoc::get(context, {marked, location});
}

void compiler::attachLinePositions(const Snapshot &snapshot, llvm::StringRef file) {
  for (const Snapshot::Line &line : snapshot.lines)
    line.op->setLoc(withLinePosition(line.op->getLoc(), file, line.line, line.column));
}

FileLineColLoc compiler::getLinePosition(Location loc) { return findLinePosition(loc); }

//===------------------------------------------------------------------------------------------------------------===//
// Reading a map back
//===------------------------------------------------------------------------------------------------------------===//

/// Parses "file:line:col"; unknown if it is malformed.
static Location parsePosition(llvm::StringRef text, MLIRContext *context) {
  auto [rest, column] = text.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (line.getAsInteger(10, lineNumber) || column.getAsInteger(10, columnNumber))
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, file, lineNumber, columnNumber);
}

/// The location of one entry of "sets".
static Location parseSet(const llvm::json::Object &set, MLIRContext *context) {
  llvm::SmallVector<Location> sources;
  if (const llvm::json::Array *texts = set.getArray("sources"))
    for (const llvm::json::Value &text : *texts)
      if (std::optional<llvm::StringRef> position = text.getAsString())
        sources.push_back(parsePosition(*position, context));
  llvm::SmallVector<llvm::StringRef> ids;
  if (const llvm::json::Array *texts = set.getArray("ids"))
    for (const llvm::json::Value &text : *texts)
      if (std::optional<llvm::StringRef> id = text.getAsString())
        ids.push_back(*id);
  return withOpIds(FusedLoc::get(context, sources), ids);
}

/// The hash of each line for which the map was made; empty if unknown.
static std::vector<uint32_t> readHashes(const llvm::json::Object &map, llvm::StringRef original) {
  std::vector<uint32_t> hashes;
  llvm::StringRef digits = map.getString("hashes").value_or("");
  for (; digits.size() >= 8; digits = digits.drop_front(8)) {
    uint32_t hash = 0;
    if (digits.take_front(8).getAsInteger(16, hash))
      return {};
    hashes.push_back(hash);
  }
  if (hashes.empty() && !original.empty()) {
    std::vector<size_t> starts = lineStarts(original);
    for (unsigned line = 1; line <= starts.size(); ++line)
      hashes.push_back(hashOfLine(lineAt(original, starts, line)));
  }
  return hashes;
}

int64_t compiler::attachLineMap(Operation *root, llvm::StringRef text, llvm::StringRef json, llvm::StringRef original) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(json);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return 0;
  }
  const llvm::json::Object *map = parsed->getAsObject();
  const llvm::json::Array *sets = map ? map->getArray("sets") : nullptr;
  if (!sets)
    return 0;
  std::vector<Location> locations;
  for (const llvm::json::Value &set : *sets)
    locations.push_back(set.getAsObject() ? parseSet(*set.getAsObject(), root->getContext())
                                          : Location(UnknownLoc::get(root->getContext())));
  const std::vector<uint32_t> hashes = readHashes(*map, original);
  std::vector<size_t> starts = lineStarts(text);
  // Rows by line, and for edited files the lines with equal text, in order.
  const size_t known = hashes.empty() ? starts.size() : hashes.size();
  std::vector<std::optional<unsigned>> setOfLine(known + 1);
  llvm::DenseMap<uint32_t, std::vector<unsigned>> byHash;
  forEachMappedLine(*map, static_cast<unsigned>(known), [&](unsigned line, unsigned set) {
    if (set >= locations.size())
      return;
    setOfLine[line] = set;
    if (!hashes.empty())
      byHash[hashes[line - 1]].push_back(line);
  });

  int64_t attached = 0;
  root->walk([&](Operation *op) {
    if (hasOpIds(op->getLoc()))
      return;
    llvm::SmallVector<FileLineColLoc> positions = getSourcePositions(op->getLoc());
    if (positions.empty())
      return;
    unsigned line = positions.front().getLine();
    std::optional<unsigned> set;
    uint32_t hash = hashOfLine(lineAt(text, starts, line));
    if (line <= known && setOfLine[line] && (hashes.empty() || hashes[line - 1] == hash)) {
      set = setOfLine[line];
    } else if (auto moved = byHash.find(hash); moved != byHash.end()) {
      // The nearest line of equal text, because an edit moves the following lines by a few.
      auto nearest = llvm::min_element(moved->second, [&](unsigned a, unsigned b) {
        return std::abs(int64_t(a) - line) < std::abs(int64_t(b) - line);
      });
      set = setOfLine[*nearest];
    }
    if (!set)
      return;
    op->setLoc(locations[*set]);
    attached += hasOpIds(op->getLoc());
  });
  return attached;
}
