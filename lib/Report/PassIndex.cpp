//===- PassIndex.cpp - passes_dump/index.json --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Keys that are absent in older or shorter records are taken as unknown; keys of the wrong type are an error.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/PassIndex.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"

#include <map>

namespace mica::report {

Result<PassIndex> readPassIndex(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  return parsePassIndex(text, file.string(), artifact::readBuildRecord(file.parent_path().parent_path()));
}

Result<PassIndex> parsePassIndex(std::string_view text, std::string_view file, const artifact::BuildRecord &build) {
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file));
  const Json &json = document.root();
  JsonReport report{std::string(file), "the record was cut off or edited; compile the model again", {}};
  const JsonCursor root(json, report);
  PassIndex index;
  if (root.has("tool"))
    index.tool = root.field("tool").string();
  if (root.has("input"))
    index.input = root.field("input").string();
  std::map<int64_t, PassEntry> passes;
  root.field("passes").forEach([&](const JsonCursor &item, size_t) {
    const int64_t position = item.field("position").integer(0);
    PassEntry &pass = passes[position];
    pass.position = position;
    pass.name = item.field("pass").string();
    if (item.has("phase"))
      pass.phase = item.field("phase").string();
    if (item.has("options"))
      pass.options = item.field("options").string();
    if (item.has("anchor"))
      pass.anchor = item.field("anchor").string();
  });
  for (const auto &[position, pass] : passes)
    index.pipeline.push_back(pass);
  index.passes = static_cast<int64_t>(passes.size());
  if (root.has("records"))
    root.field("records").forEach([&](const JsonCursor &item, size_t) {
      PassRun run;
      run.position = item.field("position").integer(0);
      run.op = item.field("op").string();
      run.milliseconds = item.has("ms")
                             ? item.field("ms").number()
                             : build.timeOf(run.position, item.has("path") ? item.field("path").string() : run.op);
      run.changed = item.field("changed").boolean();
      run.failed = item.has("failed") && item.field("failed").boolean();
      if (item.has("file"))
        run.file = item.field("file").string();
      if (item.has("ops_before"))
        run.opsBefore = item.field("ops_before").integer(0);
      if (item.has("ops_after"))
        run.opsAfter = item.field("ops_after").integer(0);
      run.pass = passes[run.position].name;
      run.phase = passes[run.position].phase;
      index.runs.push_back(std::move(run));
    });
  if (root.has("failure"))
    index.failure = root.field("failure").field("pass").string() + ": " + root.field("failure").field("how").string();
  if (report.failure)
    return *report.failure;
  return index;
}

} // namespace mica::report
