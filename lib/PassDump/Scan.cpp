//===- Scan.cpp - ops of a program text that no parser here knows ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Which scanner reads a text, and what locations say.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/Scan.h"

#include "lib/PassDump/Scanners.h"

#include <algorithm>
#include <string>

namespace mica::passdump {

std::string_view languageName(Language language) {
  switch (language) {
  case Language::Mlir:
    return "MLIR";
  case Language::Llvm:
    return "LLVM IR";
  case Language::Hlo:
    return "HLO";
  case Language::Other:
    return "text";
  }
  return "text";
}

Language guessLanguage(std::string_view text) {
  size_t lines = 0;
  for (size_t at = 0; at < text.size() && lines < 400;) {
    const size_t end = lineEnd(text, at);
    const std::string_view line = text.substr(skipSpaces(text, at), end - std::min(end, skipSpaces(text, at)));
    at = end + 1;
    if (line.empty() || line.starts_with("//"))
      continue;
    ++lines;
    if (line.starts_with("HloModule") || line.starts_with("ENTRY "))
      return Language::Hlo;
    if (line.starts_with("; ModuleID") || line.starts_with("target triple") || line.starts_with("target datalayout") ||
        line.starts_with("source_filename") || line.starts_with("define ") || line.starts_with("declare "))
      return Language::Llvm;
    if (line.starts_with("---") || line.starts_with("# Machine code") || line.starts_with(".version") ||
        line.starts_with("\t.") || line.starts_with(".text") || line.starts_with(".file"))
      return Language::Other;
    if (line.starts_with("module") || line.starts_with("func") || line.starts_with("#") || line.starts_with("!") ||
        line.starts_with("\"builtin.module\""))
      return Language::Mlir;
    // "dialect.op ..." or "%0 = dialect.op".
    std::string_view word = line;
    if (const size_t equal = line.find(" = "); line[0] == '%' && equal != std::string_view::npos)
      word = line.substr(equal + 3);
    const size_t wordEnd = skipWord(word, 0);
    const size_t dot = word.substr(0, wordEnd).find('.');
    if (word.starts_with('"') ||
        (wordEnd && isLetter(word[0]) && dot != std::string_view::npos && dot + 1 < wordEnd &&
         (wordEnd == word.size() || std::string_view(" ({<@").find(word[wordEnd]) != std::string_view::npos)))
      return Language::Mlir;
    if (line[0] == '%' && word.size() < line.size())
      return Language::Llvm;
  }
  return Language::Other;
}

int64_t Scan::unparsedLines() const {
  int64_t count = 0;
  for (const UnparsedLines &range : unparsed)
    count += range.last - range.first + 1;
  return count;
}

uint64_t Scan::deep() const {
  uint64_t hash = 0;
  for (size_t i = 0; i < ops.size(); i = static_cast<size_t>(ops[i].next))
    hash = mix(hash, ops[i].deep);
  return hash;
}

Scan scan(std::string_view text, Language language, size_t mostOps) {
  Scan scan;
  scan.language = language;
  switch (language) {
  case Language::Mlir:
    scanMlir(text, scan, mostOps);
    break;
  case Language::Llvm:
    scanLlvm(text, scan, mostOps);
    break;
  case Language::Hlo:
    scanHlo(text, scan, mostOps);
    break;
  case Language::Other:
    scan.lines = std::count(text.begin(), text.end(), '\n') + (!text.empty() && text.back() != '\n');
    if (scan.lines)
      scan.unparsed.push_back({1, scan.lines});
    break;
  }
  return scan;
}

namespace {

/// The number at `at`, which moves behind it; at most 2^31.
int64_t readNumber(std::string_view text, size_t &at) {
  int64_t value = 0;
  for (; isDigit(charAt(text, at)); ++at)
    value = std::min<int64_t>(value * 10 + (text[at] - '0'), int64_t(1) << 31);
  return value;
}

/// The value of member `key` of a metadata node, "key: VALUE" or "key=VALUE", or an empty text.
std::string_view memberOf(std::string_view node, std::string_view key) {
  for (size_t at = node.find(key); at != std::string_view::npos; at = node.find(key, at + 1)) {
    if (at > 0 && (isWord(node[at - 1])))
      continue;
    size_t begin = skipSpaces(node, at + key.size());
    if (charAt(node, begin) != ':' && charAt(node, begin) != '=')
      continue;
    begin = skipSpaces(node, begin + 1);
    if (charAt(node, begin) == '"') {
      const size_t end = skipQuoted(node, begin);
      return node.substr(begin + 1, end - std::min(end, begin + 2));
    }
    size_t end = begin;
    while (end < node.size() && node[end] != ',' && node[end] != ')' && !isSpace(node[end]) && node[end] != '}')
      ++end;
    return node.substr(begin, end - begin);
  }
  return {};
}

class Locations {
public:
  Locations(const Scan &scan, size_t most) : scan(scan), most(most) {}

  void mlir(std::string_view location, int depth) {
    for (size_t at = 0; at < location.size() && found.size() < most && steps < 200;) {
      ++steps;
      const char c = location[at];
      if (c == '"') {
        const size_t end = skipQuoted(location, at);
        const std::string_view file = location.substr(at + 1, end - std::min(end, at + 2));
        at = end;
        if (charAt(location, at) == ':' && isDigit(charAt(location, at + 1))) {
          ++at;
          const int64_t line = readNumber(location, at);
          int64_t column = 0;
          if (charAt(location, at) == ':')
            column = readNumber(location, ++at);
          add({std::string(file), line, column});
        }
      } else if (c == '#') {
        const size_t end = skipName(location, at + 1);
        if (const auto alias = scan.aliases.find(location.substr(at, end - at));
            alias != scan.aliases.end() && depth < 12)
          mlir(alias->second, depth + 1);
        at = end;
      } else {
        ++at;
      }
    }
  }

  /// `node`: !12, a DILocation.
  void llvm(std::string_view node, int depth) {
    const std::string_view location = nodeOf(node);
    if (!location.starts_with("!DILocation") || depth > 8)
      return;
    const std::string_view line = memberOf(location, "line");
    size_t at = 0, columnAt = 0;
    const std::string_view column = memberOf(location, "column");
    const std::string file = fileOf(memberOf(location, "scope"), 0);
    if (const int64_t number = readNumber(line, at); number > 0 && !file.empty())
      add({file, number, readNumber(column, columnAt)});
    llvm(memberOf(location, "inlinedAt"), depth + 1);
  }

  void hlo(std::string_view metadata) {
    size_t at = 0;
    const std::string_view file = memberOf(metadata, "source_file"), line = memberOf(metadata, "source_line");
    if (const int64_t number = readNumber(line, at); number > 0 && !file.empty())
      add({std::string(file), number, 0});
    else if (const std::string_view place = row(2, row(3, metadata, "stack_frame_id"), "file_location_id");
             !place.empty())
      frame(place);
  }

  /// `place`: a row of FileLocations.
  void frame(std::string_view place) {
    std::string_view file = row(1, place, "file_name_id");
    const std::string_view line = memberOf(place, "line"), column = memberOf(place, "column");
    size_t at = 0, columnAt = 0;
    if (file.size() > 2 && file.front() == '"' && file.back() == '"')
      if (const int64_t number = readNumber(line, at); number > 0)
        add({std::string(file.substr(1, file.size() - 2)), number, readNumber(column, columnAt)});
  }

  /// The row of a table of HLO that member `key` of `node` names, or an empty text.
  std::string_view row(uint64_t table, std::string_view node, std::string_view key) const {
    const std::string_view number = memberOf(node, key);
    size_t at = 0;
    const auto found = scan.tables.find(table << 32 | static_cast<uint64_t>(readNumber(number, at)));
    return number.empty() || found == scan.tables.end() ? std::string_view() : found->second;
  }

  std::vector<SourceLine> found;

private:
  void add(const SourceLine &line) {
    if (std::find(found.begin(), found.end(), line) == found.end() && found.size() < most)
      found.push_back(line);
  }
  std::string_view nodeOf(std::string_view name) const {
    const auto node = scan.aliases.find(name);
    if (node == scan.aliases.end())
      return {};
    std::string_view value = node->second;
    if (value.starts_with("distinct "))
      value.remove_prefix(9);
    return value;
  }
  /// The file of a scope: DIFile itself, or that of a DISubprogram or a block in it.
  std::string fileOf(std::string_view scope, int depth) const {
    const std::string_view node = nodeOf(scope);
    if (node.starts_with("!DIFile")) {
      const std::string_view file = memberOf(node, "filename"), folder = memberOf(node, "directory");
      return (file.starts_with('/') || folder.empty() ? "" : std::string(folder) + "/") + std::string(file);
    }
    if (depth > 16 || node.empty())
      return {};
    if (const std::string_view file = memberOf(node, "file"); !file.empty())
      return fileOf(file, depth + 1);
    return fileOf(memberOf(node, "scope"), depth + 1);
  }

  const Scan &scan;
  size_t most;
  int steps = 0;
};

} // namespace

std::vector<SourceLine> sourceLines(const Scan &scan, std::string_view location, size_t most) {
  Locations locations(scan, most);
  if (location.empty())
    return {};
  switch (scan.language) {
  case Language::Mlir:
    locations.mlir(location, 0);
    break;
  case Language::Llvm:
    locations.llvm(location, 0);
    break;
  case Language::Hlo:
    locations.hlo(location);
    break;
  case Language::Other:
    break;
  }
  return std::move(locations.found);
}

} // namespace mica::passdump
