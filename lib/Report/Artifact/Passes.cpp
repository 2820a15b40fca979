//===- Passes.cpp - the passes of an artifact and what they did ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The record joined with mica-diff's comparison of its layers.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Context.h"

#include "lib/Report/PassIndex.h"
#include "mica/Trace/JsonScan.h"

namespace fs = std::filesystem;

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

/// What changed between two layers, as rows.
struct Comparison {
  int64_t text = -1, before = -1;
  int64_t added = 0, removed = 0, changed = 0, moved = 0;
  bool structural = false;
  std::string asTextBecause;
};

Result<Comparison> takeComparison(ArtifactContext &context, const Json &found) {
  Comparison comparison;
  comparison.structural = booleanMember(found, "structural");
  comparison.asTextBecause = context.names.text(textMember(found, "as_text_because"));
  const std::string before = "passes_dump/" + fs::path(textMember(found, "before")).filename().string();
  if (const auto number = context.fileNumbers.find(before); number != context.fileNumbers.end())
    comparison.before = number->second;
  Json rows = Json::array();
  for (const Json &change : listMember(found, "changes")) {
    const std::string kind = textMember(change, "kind");
    (kind == "added"     ? comparison.added
     : kind == "removed" ? comparison.removed
     : kind == "moved"   ? comparison.moved
                         : comparison.changed) += 1;
    Json details = Json::array(), why = Json::array();
    for (const Json &detail : listMember(change, "details"))
      details.push_back(row(detailName(context.names, textMember(detail, "what")),
                            context.names.text(cut(textMember(detail, "before"))),
                            context.names.text(cut(textMember(detail, "after")))));
    for (const std::string &text : textsMember(change, "why"))
      why.push_back(context.names.text(text));
    rows.push_back(row(kind == "added" || kind == "removed" || kind == "moved" ? kind : "changed",
                       context.names.opKind(textMember(change, "op")), lineOf(change, "before"),
                       lineOf(change, "after"), std::move(details), integerMember(change, "nested"),
                       integerMember(change, "rewired"), context.names.text(textMember(change, "note")),
                       std::move(why)));
  }
  MICA_ASSIGN_OR_RETURN(comparison.text, context.addText(printJsonLine(rows)));
  return comparison;
}
} // namespace

Result<Json> passesPart(ArtifactContext &context, const Json &diffs) {
  const fs::path file = context.artifact.path("passes_dump/index.json");
  Json passes = Json::array(), runs = Json::array();
  if (!liesInside(context.artifact.folder(), file))
    return Json{{"passes", passes}, {"passRuns", runs}, {"failure", ""}};
  MICA_ASSIGN_OR_RETURN(const PassIndex index, readPassIndex(file));
  std::map<std::string, const Json *> found; // by the layer after
  for (const Json &comparison : listMember(diffs, "comparisons"))
    found[fs::path(textMember(comparison, "after")).filename().string()] = &comparison;
  for (const PassEntry &pass : index.pipeline)
    passes.push_back(row(pass.position, trace::validUtf8(pass.name), context.names.text(pass.options),
                         trace::validUtf8(pass.phase)));
  std::map<std::string, int64_t> last; // the state that a pass was given, by op
  if (const auto input = context.fileNumbers.find("passes_dump/0000_input.mlir"); input != context.fileNumbers.end())
    last[""] = input->second;
  for (const PassRun &run : index.runs) {
    Comparison comparison;
    int64_t after = -1;
    if (!run.file.empty())
      if (const auto number = context.fileNumbers.find("passes_dump/" + run.file); number != context.fileNumbers.end())
        after = number->second;
    if (after >= 0) {
      if (const auto compared = found.find(run.file); compared != found.end()) {
        MICA_ASSIGN_OR_RETURN(comparison, takeComparison(context, *compared->second));
      }
      if (comparison.before < 0)
        comparison.before = last.contains(run.op) ? last[run.op] : last.contains("") ? last[""] : -1;
      last[run.op] = after;
    }
    runs.push_back(row(run.position, context.names.anchor(run.op), run.milliseconds, run.changed, after,
                       comparison.before, run.opsBefore, run.opsAfter, comparison.text,
                       Json{comparison.added, comparison.removed, comparison.changed, comparison.moved},
                       comparison.structural, comparison.asTextBecause));
  }
  return Json{
      {"passes", std::move(passes)}, {"passRuns", std::move(runs)}, {"failure", context.names.text(index.failure)}};
}

} // namespace mica::report
