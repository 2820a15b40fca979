//===- LineMap.cpp - <file>.map.json -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header; docs/Artifact.md describes the file.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/LineMap.h"

#include "lib/Support/Json.h"
#include "mica/Artifact/SnapshotFile.h"

#include <algorithm>
#include <set>

namespace mica::report {

static constexpr int64_t kMaxLine = 10'000'000; ///< a larger number is a slip, which is not to fill the memory

Result<std::vector<int64_t>> linesOfOp(const std::filesystem::path &file, std::string_view id) {
  MICA_ASSIGN_OR_RETURN(const artifact::StoredLineMap map, artifact::readLineMap(file));
  return parseLinesOfOp(map.json, file.string() + ".map.json", id);
}

Result<std::vector<int64_t>> parseLinesOfOp(std::string_view text, std::string_view file, std::string_view id) {
  // Most maps of a large program do not name the op: those are not parsed.
  if (text.find('"' + std::string(id) + '"') == std::string::npos)
    return std::vector<int64_t>();
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file));
  const Json &json = document.root();
  JsonReport report{std::string(file), "the map was cut off or edited; compile the model again", {}};
  const JsonCursor root(json, report);
  std::set<int64_t> sets;
  root.field("sets").forEach([&](const JsonCursor &set, size_t position) {
    const std::vector<std::string> ids = set.field("ids").strings();
    if (std::find(ids.begin(), ids.end(), id) != ids.end())
      sets.insert(static_cast<int64_t>(position));
  });
  std::vector<int64_t> lines;
  std::string problem;
  root.field("lines").forEach([&](const JsonCursor &row, size_t) {
    int64_t numbers[3] = {0, 0, -1};
    row.forEach([&](const JsonCursor &number, size_t position) {
      if (position < 3)
        numbers[position] = number.integer(0);
    });
    const auto [first, last, set] = numbers;
    if (!sets.contains(set))
      return;
    if (first > last || last > kMaxLine)
      problem = "lines " + std::to_string(first) + " to " + std::to_string(last) + " are none";
    for (int64_t line = first; problem.empty() && line <= last; ++line)
      lines.push_back(line);
  });
  if (!problem.empty())
    return Error{ErrorCode::Damaged, std::string(file) + ": " + problem, report.hint};
  if (report.failure)
    return *report.failure;
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

std::string lineRanges(const std::vector<int64_t> &lines) {
  std::string text;
  for (size_t i = 0; i < lines.size();) {
    size_t end = i;
    while (end + 1 < lines.size() && lines[end + 1] == lines[end] + 1)
      ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(lines[i]);
    if (end > i)
      text += "-" + std::to_string(lines[end]);
    i = end + 1;
  }
  return text;
}

} // namespace mica::report
