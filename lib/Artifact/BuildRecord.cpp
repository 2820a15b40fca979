//===- BuildRecord.cpp - when, where and by which command an artifact was made -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See BuildRecord.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/BuildRecord.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mica::artifact {

double BuildRecord::timeOf(int64_t position, std::string_view op, double otherwise) const {
  const auto wanted = std::pair(position, op);
  const auto found = std::lower_bound(passTimes.begin(), passTimes.end(), wanted,
                                      [](const PassTime &time, const std::pair<int64_t, std::string_view> &key) {
                                        return std::pair<int64_t, std::string_view>(time.position, time.op) < key;
                                      });
  return found != passTimes.end() && found->position == position && found->op == op ? found->milliseconds : otherwise;
}

std::string printBuildRecord(const BuildRecord &record) {
  JsonPrinter json;
  json.add("format", schemaFormat(Schema::Build));
  json.add("schema", schemaVersion(Schema::Build));
  json.add("command_line", record.commandLine);
  json.add("working_folder", record.workingFolder);
  json.add("program", record.program);
  json.add("program_from_here", record.programFromHere);
  json.add("started", record.started);
  json.add("seconds", record.seconds);
  json.addList("passes", record.passTimes, [](const PassTime &time) {
    return Json{{"position", time.position}, {"op", time.op}, {"ms", time.milliseconds}};
  });
  return json.finish();
}

BuildRecord readBuildRecord(const std::filesystem::path &folder) {
  BuildRecord record;
  const std::filesystem::path file = folder / kBuildFile;
  const Result<std::string> text = readFile(file);
  if (!text)
    return record;
  const Result<JsonDocument> json = parseJson(*text, file.string());
  if (!json)
    return record;
  JsonReport report{file.string(), "", {}};
  const JsonCursor root(json->root(), report);
  record.commandLine = root.field("command_line").strings();
  record.workingFolder = root.field("working_folder").string();
  record.program = root.field("program").string();
  record.programFromHere = root.field("program_from_here").string();
  record.started = root.field("started").string();
  record.seconds = root.field("seconds").number();
  root.field("passes").forEach([&](const JsonCursor &item, size_t) {
    record.passTimes.push_back(
        {item.field("position").integer(0), item.field("op").string(), item.field("ms").number()});
  });
  std::sort(record.passTimes.begin(), record.passTimes.end(), [](const PassTime &a, const PassTime &b) {
    return std::tie(a.position, a.op) < std::tie(b.position, b.op);
  });
  return report.failure ? BuildRecord() : record;
}

} // namespace mica::artifact
