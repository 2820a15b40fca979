//===- Changes.cpp - what changed between two programs, as rows -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Changes.h"

#include "lib/Report/Artifact/Context.h"

#include <algorithm>
#include <map>

namespace mica::report {

namespace {
constexpr size_t kLongestDetail = 2000;

std::string cut(const std::string &text) {
  return text.size() <= kLongestDetail ? text : text.substr(0, kLongestDetail) + "...";
}

/// "operand 0", "attribute 'x'": what may name something of the program is the part in quotes.
std::string detailName(const Names &names, const std::string &what) {
  const size_t quote = what.find('\'');
  return names.redacts() && quote != std::string::npos
             ? what.substr(0, quote) + names.text(what.substr(quote))
             : names.text(names.redacts() ? "" : what) + (names.redacts() ? what : "");
}

int64_t lineOf(const Json &change, const char *side) {
  const auto place = change.find(side);
  return place == change.end() ? 0 : integerMember(*place, "line");
}
} // namespace

/// The line on one side, of the text that is shown: `first` is the number of its first line.
static int64_t shownLine(const Json &change, const char *side, int64_t first) {
  const int64_t line = lineOf(change, side);
  return line >= first ? line - first + 1 : 0;
}

/// The change that stands for each: itself, or the first of those it is one with.
static std::vector<int64_t> firstsOf(const Json &found) {
  std::vector<int64_t> firsts(listMember(found, "changes").size());
  for (size_t i = 0; i < firsts.size(); ++i)
    firsts[i] = static_cast<int64_t>(i);
  for (const Json &group : listMember(found, "groups"))
    if (group.is_array() && !group.empty() && group.front().is_number_integer())
      for (const Json &member : group)
        if (member.is_number_integer() && member.get<int64_t>() >= 0 &&
            member.get<int64_t>() < static_cast<int64_t>(firsts.size()))
          firsts[static_cast<size_t>(member.get<int64_t>())] = group.front().get<int64_t>();
  return firsts;
}

/// The ids of the op that changed, on either side.
static std::vector<std::string> idsOf(const Json &change, Names &names) {
  std::vector<std::string> ids;
  for (const char *side : {"before", "after"})
    if (const auto place = change.find(side); place != change.end())
      for (const std::string &id : textsMember(*place, "ids"))
        ids.push_back(names.id(id));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

ChangeRows changeRows(const Json &found, Names &names) {
  static constexpr std::string_view kKinds[] = {"added", "removed", "changed", "moved"};
  ChangeRows changes;
  changes.structural = booleanMember(found, "structural");
  // "/tmp/.../passes_dump/0012_cse.mlir:3:5: message": the folder may be one made for this report.
  std::string because = textMember(found, "as_text_because");
  if (const size_t inside = because.find("passes_dump/"); because.starts_with('/') && inside != std::string::npos)
    because = because.substr(inside);
  changes.asTextBecause = names.text(because);
  const std::vector<int64_t> firsts = firstsOf(found);
  auto firstLine = [&](const char *side) {
    const auto text = found.find(side);
    return text == found.end() ? 1 : std::max<int64_t>(integerMember(*text, "first_line", 1), 1);
  };
  const int64_t firstBefore = firstLine("before_text"), firstAfter = firstLine("after_text");
  size_t ordinal = 0;
  std::map<std::vector<std::string>, int64_t> sets;
  for (const Json &change : listMember(found, "changes")) {
    const int64_t first = firsts[ordinal++];
    if (!change.is_object())
      continue;
    const std::string kind = textMember(change, "kind");
    size_t number = kind == "added" ? 0 : kind == "removed" ? 1 : kind == "moved" ? 3 : 2;
    ++changes.counts[number];
    Json details = Json::array(), why = Json::array();
    for (const Json &detail : listMember(change, "details")) {
      std::string was = names.text(cut(textMember(detail, "before")));
      std::string is = names.text(cut(textMember(detail, "after")));
      // What masks have made alike tells nothing on either side.
      if (was == is)
        was = is = "";
      details.push_back(row(detailName(names, textMember(detail, "what")), std::move(was), std::move(is)));
    }
    for (const std::string &text : textsMember(change, "why"))
      why.push_back(names.text(text));
    int64_t set = -1;
    if (std::vector<std::string> ids = idsOf(change, names); !ids.empty()) {
      const auto [known, isNew] = sets.emplace(std::move(ids), static_cast<int64_t>(sets.size()));
      set = known->second;
      if (isNew)
        changes.idSets.push_back(known->first);
    }
    std::string op = names.opKind(textMember(change, "op"));
    changes.kinds.insert(op);
    changes.rows.push_back(row(kKinds[number], std::move(op), shownLine(change, "before", firstBefore),
                               shownLine(change, "after", firstAfter), std::move(details),
                               integerMember(change, "nested"), integerMember(change, "rewired"),
                               names.text(textMember(change, "note")), std::move(why), first, set));
  }
  return changes;
}

} // namespace mica::report
