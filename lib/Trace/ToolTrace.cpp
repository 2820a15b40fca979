//===- ToolTrace.cpp - trace logs of tools ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A call of a tool is not a compile, so its records have no compile id.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/ToolTrace.h"

#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace mica;
using namespace mica::trace;

static constexpr WritePlace kPlace{"lib/Trace/ToolTrace.cpp", 0};

static std::string list(const std::vector<std::string> &texts) {
  std::string json;
  for (const std::string &text : texts)
    json += (json.empty() ? "" : ", ") + quoteJson(text);
  return "[" + json + "]";
}

static std::string object(const JsonFields &fields) {
  std::string json;
  for (const auto &[key, value] : fields)
    json += (json.empty() ? "" : ",\n") + quoteJson(key) + ": " + value;
  return "{" + json + "}";
}

std::string_view trace::errorCodeName(ErrorCode code) {
  static constexpr std::string_view kNames[] = {"InvalidInput", "NotFound",   "Damaged", "Unsupported",
                                                "Io",           "Difference", "Hang",    "Internal"};
  return kNames[static_cast<size_t>(code)];
}

void trace::writeToolRecord(Writer &writer, std::string_view tool, const std::vector<std::string> &commandLine,
                            const CompileId &compile, WritePlace place) {
  std::error_code ignored;
  writer.artifact("tool",
                  object({{"tool", quoteJson(tool)},
                          {"command_line", list(commandLine)},
                          {"folder", quoteJson(std::filesystem::current_path(ignored).string())}}),
                  compile, place, /*json=*/true);
}

ToolTrace::ToolTrace(std::string_view tool, int argc, const char *const *argv)
    : tool(tool), commandLine(argv, argv + argc) {
  if (std::optional<std::string> folder = environmentValue("MICA_TRACE"))
    writer = Writer::inFolder(*folder);
}

void ToolTrace::begin() {
  if (!writer || begun)
    return;
  begun = true;
  writeToolRecord(*writer, tool, commandLine, {}, kPlace);
  writer->event(tool, 'B', microsecondsNow(), {}, kPlace);
}

void ToolTrace::file(std::string_view role, const std::string &path) {
  if (!writer || path.empty())
    return;
  const std::lock_guard<std::mutex> guard(mutex);
  std::vector<std::string> &paths = files[std::string(role)];
  if (std::find(paths.begin(), paths.end(), path) == paths.end())
    paths.push_back(path);
}

void ToolTrace::artifact(std::string_view name, std::string_view text, bool json, const JsonFields &extra) {
  if (writer && begun)
    writer->artifact(name, text, {}, kPlace, json, extra);
}

void ToolTrace::span(std::string_view name, char phase, const JsonFields &arguments) {
  if (writer && begun)
    writer->event(name, phase, microsecondsNow(), {}, kPlace, arguments);
}

void ToolTrace::note(std::string_view key, std::string json) {
  const std::lock_guard<std::mutex> guard(mutex);
  if (writer)
    notes.push_back({std::string(key), std::move(json)});
}

void ToolTrace::end(int code, const Error *error) {
  if (!writer || (!begun && !error && code == 0))
    return;
  begin();
  JsonFields fields = {{"exit_code", std::to_string(code)},
                       {"error_type", error ? quoteJson(errorCodeName(error->code)) : "null"},
                       {"error", error ? quoteJson(error->message) : "null"},
                       {"hint", error && !error->hint.empty() ? quoteJson(error->hint) : "null"}};
  for (const auto &[role, paths] : files)
    fields.push_back({role, list(paths)});
  fields.insert(fields.end(), notes.begin(), notes.end());
  writer->artifact("outcome", object(fields), {}, kPlace, /*json=*/true);
  writer->event(tool, 'E', microsecondsNow(), {}, kPlace, {{"exit_code", std::to_string(code)}});
  if (Status written = writer->status(); !written)
    printWarning(tool, "the trace is incomplete: " + written.error().message, written.error().hint);
  writer = nullptr;
}

int trace::endTool(std::string_view tool, ToolTrace &trace, Result<int> code, bool helps) {
  if (code && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    code = Error{ErrorCode::Io, "cannot write the standard output", "is the disk full?"};
  const int exit = code ? *code : exitCode(code.error().code);
  if (!code)
    printError(tool, code.error());
  // Not before: it may read the folder that its log goes to.
  if (!code || !helps)
    trace.begin();
  trace.end(exit, code ? nullptr : &code.error());
  return exit;
}
