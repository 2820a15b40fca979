//===- PrintJson.cpp - what passes of a dump changed, for programs --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The form of mica-diff --json (docs/Tools/mica-diff.md), without what only a parser knows.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/PrintDump.h"

#include "lib/Support/Json.h"
#include "mica/Support/Schemas.h"

namespace mica::passdump {

namespace {

Json placeOf(int64_t line) { return Json{{"line", line}}; }

Json changeJson(const ScanChange &change) {
  static constexpr const char *kNames[] = {"added", "removed", "changed", "moved"};
  Json made = {{"kind", kNames[static_cast<size_t>(change.kind)]}, {"op", std::string(change.op)}};
  if (change.before)
    made["before"] = placeOf(change.before);
  if (change.after)
    made["after"] = placeOf(change.after);
  Json details = Json::array();
  for (const ChangeDetail &detail : change.details)
    details.push_back(Json{{"what", detail.what}, {"before", detail.before}, {"after", detail.after}});
  made["details"] = std::move(details);
  if (change.nested)
    made["nested"] = change.nested;
  return made;
}

Json runJson(const Run &run) {
  Json made = {{"title", (run.unit.empty() ? "" : run.unit + ": ") + runTitle(run)},
               {"before", run.before ? run.before->where : ""},
               {"after", run.after ? run.after->where : ""},
               {"position", run.number},
               {"on", run.on},
               {"same", !run.changed},
               {"structural", run.difference.has_value()}};
  if (!run.difference) {
    made["as_text_because"] = runSummary(run);
    return made;
  }
  made["ops_before"] = run.opsBefore;
  made["ops_after"] = run.opsAfter;
  Json changes = Json::array();
  for (const ScanChange &change : run.difference->changes)
    changes.push_back(changeJson(change));
  made["changes"] = std::move(changes);
  return made;
}

} // namespace

std::string printChangesJson(const Dump &dump, const std::string &pass, size_t &found, size_t &changed) {
  Json comparisons = Json::array();
  walkNamedRuns(dump, pass, found, changed, [&](const Run &run) { comparisons.push_back(runJson(run)); });
  Json notes = Json::array();
  for (const std::string &note : dump.notes)
    notes.push_back(note);
  return printJsonLine(Json{{"format", schemaFormat(Schema::Diff)},
                            {"schema", schemaVersion(Schema::Diff)},
                            {"same", changed == 0},
                            {"notes", std::move(notes)},
                            {"comparisons", std::move(comparisons)}}) +
         "\n";
}

} // namespace mica::passdump
