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

ChangeRows changeRows(const Json &found, Names &names) {
  static constexpr std::string_view kKinds[] = {"added", "removed", "changed", "moved"};
  ChangeRows changes;
  changes.structural = booleanMember(found, "structural");
  changes.asTextBecause = names.text(textMember(found, "as_text_because"));
  for (const Json &change : listMember(found, "changes")) {
    if (!change.is_object())
      continue;
    const std::string kind = textMember(change, "kind");
    size_t number = kind == "added" ? 0 : kind == "removed" ? 1 : kind == "moved" ? 3 : 2;
    ++changes.counts[number];
    Json details = Json::array(), why = Json::array();
    for (const Json &detail : listMember(change, "details"))
      details.push_back(row(detailName(names, textMember(detail, "what")),
                            names.text(cut(textMember(detail, "before"))),
                            names.text(cut(textMember(detail, "after")))));
    for (const std::string &text : textsMember(change, "why"))
      why.push_back(names.text(text));
    changes.rows.push_back(row(kKinds[number], names.opKind(textMember(change, "op")), lineOf(change, "before"),
                               lineOf(change, "after"), std::move(details), integerMember(change, "nested"),
                               integerMember(change, "rewired"), names.text(textMember(change, "note")),
                               std::move(why)));
  }
  return changes;
}

} // namespace mica::report
