//===- Passes.cpp - the passes of an artifact and what they did ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The record joined with mica-diff's comparison of its snapshots.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Changes.h"
#include "lib/Report/Artifact/Context.h"

#include "lib/Report/PassIndex.h"
#include "mica/Trace/JsonScan.h"

#include <map>

namespace fs = std::filesystem;

namespace mica::report {

namespace {
/// What changed between two states.
struct Comparison {
  int64_t text = -1; ///< the changes
  int64_t before = -1;
  /// Texts of the states, where they are not those of files; -1 where they are.
  int64_t beforeText = -1, afterText = -1;
  bool beforeIsPart = false; ///< `beforeText` is a part of the file `before`, else put together of it and others
  ChangeRows changes;
};

/// The text that was compared on one side, where it is not the file's.
Result<int64_t> takeText(ArtifactContext &context, const Json &found, const char *side) {
  const auto text = found.find(side);
  if (text == found.end() || !text->is_object())
    return int64_t(-1);
  return context.addText(context.names.text(textMember(*text, "text")));
}

Result<Comparison> takeComparison(ArtifactContext &context, const Json &found) {
  Comparison comparison;
  comparison.changes = changeRows(found, context.names);
  // "0012_cse.mlir and 2 newer parts of it"
  std::string before = fs::path(textMember(found, "before")).filename().string();
  const size_t parts = before.find(" and ");
  comparison.beforeIsPart = parts == std::string::npos;
  before.resize(std::min(before.size(), parts));
  if (const auto number = context.fileNumbers.find("passes_dump/" + before); number != context.fileNumbers.end())
    comparison.before = number->second;
  MICA_ASSIGN_OR_RETURN(comparison.beforeText, takeText(context, found, "before_text"));
  MICA_ASSIGN_OR_RETURN(comparison.afterText, takeText(context, found, "after_text"));
  MICA_ASSIGN_OR_RETURN(comparison.text, context.addText(printJsonLine(Json{{"rows", comparison.changes.rows},
                                                                            {"sets", comparison.changes.idSets}})));
  return comparison;
}

/// Whether the op called `inner` stands in the one called `outer`: "k.body" in "k", and everything in "".
bool isInside(const std::string &inner, const std::string &outer) {
  return inner != outer && (outer.empty() || (inner.starts_with(outer) && inner[outer.size()] == '.'));
}

/// The file that holds the state a pass was given, where one does: "" where the state is a part of a file, or put
/// together of several, which takes the compiler half.
std::string fileBefore(const PassIndex &index, const PassRun &run) {
  const PassRun *base = nullptr;
  bool hasNewer = false;
  for (const PassRun &other : index.runs) {
    if (other.position >= run.position || other.file.empty())
      continue;
    if (other.op == run.op || isInside(run.op, other.op)) {
      base = &other;
      hasNewer = false;
    } else if (isInside(other.op, run.op)) {
      hasNewer = true;
    }
  }
  if (hasNewer || (base ? base->op != run.op : !run.op.empty()))
    return "";
  return base ? base->file : "0000_input.mlir";
}
} // namespace

Result<Json> passesPart(ArtifactContext &context, const Json &diffs) {
  const fs::path file = context.artifact.path("passes_dump/index.json");
  Json passes = Json::array(), runs = Json::array();
  if (!liesInside(context.artifact.folder(), file))
    return Json{{"passes", passes}, {"passRuns", runs}, {"failure", ""}};
  MICA_ASSIGN_OR_RETURN(const PassIndex index, readPassIndex(file));
  std::map<std::pair<int64_t, std::string>, const Json *> found;
  for (const Json &comparison : listMember(diffs, "comparisons"))
    found[{integerMember(comparison, "position", -1), textMember(comparison, "on")}] = &comparison;
  for (const PassEntry &pass : index.pipeline)
    passes.push_back(row(pass.position, trace::validUtf8(pass.name), context.names.text(pass.options),
                         trace::validUtf8(pass.phase), trace::validUtf8(pass.anchor)));
  std::map<std::string, int64_t> kindNumbers;
  std::map<std::string, std::vector<size_t>> runsOfId;
  for (const PassRun &run : index.runs) {
    Comparison comparison;
    int64_t after = -1;
    if (!run.file.empty())
      if (const auto number = context.fileNumbers.find("passes_dump/" + run.file); number != context.fileNumbers.end())
        after = number->second;
    if (after >= 0) {
      if (const auto compared = found.find({run.position, run.op}); compared != found.end()) {
        MICA_ASSIGN_OR_RETURN(comparison, takeComparison(context, *compared->second));
      } else if (const auto before = context.fileNumbers.find("passes_dump/" + fileBefore(index, run));
                 before != context.fileNumbers.end()) {
        comparison.before = before->second;
      } else {
        comparison.changes.asTextBecause = "the state before it is in no file of its own, and takes mica-diff to show";
      }
    }
    Json kinds = Json::array();
    for (const std::string &kind : comparison.changes.kinds)
      kinds.push_back(kindNumbers.emplace(kind, static_cast<int64_t>(kindNumbers.size())).first->second);
    for (const std::vector<std::string> &ids : comparison.changes.idSets)
      for (const std::string &id : ids)
        if (std::vector<size_t> &touching = runsOfId[id]; touching.empty() || touching.back() != runs.size())
          touching.push_back(runs.size());
    runs.push_back(row(run.position, context.names.anchor(run.op), run.milliseconds, run.changed, after,
                       comparison.before, run.opsBefore, run.opsAfter, comparison.text, comparison.changes.counts,
                       comparison.changes.structural, comparison.changes.asTextBecause, comparison.beforeText,
                       comparison.afterText, comparison.beforeIsPart, "", std::move(kinds)));
  }
  std::vector<std::string> kinds(kindNumbers.size());
  for (const auto &[kind, number] : kindNumbers)
    kinds[static_cast<size_t>(number)] = kind;
  int64_t touched = -1;
  if (!runsOfId.empty()) {
    MICA_ASSIGN_OR_RETURN(touched, context.addText(printJsonLine(Json(runsOfId))));
  }
  return Json{{"passes", std::move(passes)},
              {"passRuns", std::move(runs)},
              {"failure", context.names.text(index.failure)},
              {"changedKinds", kinds},
              {"touched", touched}};
}

} // namespace mica::report
