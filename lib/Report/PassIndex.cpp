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
  return parsePassIndex(text, file.string());
}

Result<PassIndex> parsePassIndex(std::string_view text, std::string_view file) {
  MICA_ASSIGN_OR_RETURN(const Json json, parseJson(text, file));
  JsonReport report{std::string(file), "the record was cut off or edited; compile the model again", {}};
  const JsonCursor root(json, report);
  PassIndex index;
  struct Pass {
    std::string name, phase;
  };
  std::map<int64_t, Pass> passes;
  root.field("passes").forEach([&](const JsonCursor &item, size_t) {
    Pass &pass = passes[item.field("position").integer(0)];
    pass.name = item.field("pass").string();
    if (item.has("phase"))
      pass.phase = item.field("phase").string();
  });
  index.passes = static_cast<int64_t>(passes.size());
  if (root.has("records"))
    root.field("records").forEach([&](const JsonCursor &item, size_t) {
      PassRun run;
      run.position = item.field("position").integer(0);
      run.op = item.field("op").string();
      run.milliseconds = item.field("ms").number();
      run.changed = item.field("changed").boolean();
      if (item.has("file"))
        run.file = item.field("file").string();
      run.pass = passes[run.position].name;
      run.phase = passes[run.position].phase;
      index.runs.push_back(std::move(run));
    });
  if (report.failure)
    return *report.failure;
  return index;
}

} // namespace mica::report
