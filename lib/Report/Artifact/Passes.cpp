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

#include "lib/Report/Artifact/Changes.h"
#include "lib/Report/Artifact/Context.h"

#include "lib/Report/PassIndex.h"
#include "mica/Trace/JsonScan.h"

namespace fs = std::filesystem;

namespace mica::report {

namespace {
/// What changed between two layers.
struct Comparison {
  int64_t text = -1, before = -1;
  ChangeRows changes;
};

Result<Comparison> takeComparison(ArtifactContext &context, const Json &found) {
  Comparison comparison;
  comparison.changes = changeRows(found, context.names);
  const std::string before = "passes_dump/" + fs::path(textMember(found, "before")).filename().string();
  if (const auto number = context.fileNumbers.find(before); number != context.fileNumbers.end())
    comparison.before = number->second;
  MICA_ASSIGN_OR_RETURN(comparison.text, context.addText(printJsonLine(comparison.changes.rows)));
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
                       comparison.before, run.opsBefore, run.opsAfter, comparison.text, comparison.changes.counts,
                       comparison.changes.structural, comparison.changes.asTextBecause));
  }
  return Json{
      {"passes", std::move(passes)}, {"passRuns", std::move(runs)}, {"failure", context.names.text(index.failure)}};
}

} // namespace mica::report
