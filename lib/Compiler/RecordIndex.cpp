//===- RecordIndex.cpp - files of a record ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordIndex.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/RecordIndex.h"

#include "lib/Compiler/RecordedPipelines.h"
#include "mica/Trace/JsonScan.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

llvm::StringRef compiler::dumpModeName(DumpMode mode) {
  switch (mode) {
  case DumpMode::Off:
    return "off";
  case DumpMode::Phases:
    return "phases";
  case DumpMode::Passes:
    return "passes";
  case DumpMode::Patterns:
    return "patterns";
  }
  llvm_unreachable("no such mode");
}

/// Whether `text` is in JSON what it is, between quotes.
static bool isPlain(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
}

/// The same as json.attribute(), for pipelines: they are long, and hold little that a JSON string cannot.
static void printPipeline(llvm::json::OStream &json, llvm::StringRef key, llvm::StringRef text) {
  if (!isPlain(text))
    return json.attribute(key, llvm::json::fixUTF8(text));
  json.attributeBegin(key);
  json.rawValue([&](llvm::raw_ostream &os) { os << '"' << text << '"'; });
  json.attributeEnd();
}

std::string compiler::printRecord(const PassRecord &record) {
  // A program has thousands of them, each written twice: for the index, and for a crash.
  std::string text = "{\"position\":" + std::to_string(record.position);
  auto add = [&](const char *key, llvm::StringRef value) {
    text += ",\"";
    text += key;
    text += "\":";
    text += value;
  };
  auto quoted = [](llvm::StringRef value) {
    if (isPlain(value))
      return ("\"" + value + "\"").str();
    return trace::quoteJson(llvm::json::isUTF8(value) ? value.str() : llvm::json::fixUTF8(value));
  };
  add("op", quoted(record.anchor));
  if (record.path != record.anchor)
    add("path", quoted(record.path));
  char number[32];
  snprintf(number, sizeof(number), "%.6g", record.milliseconds);
  add("ms", number);
  if (record.failed)
    add("failed", "true");
  add("changed", record.changed ? "true" : "false");
  if (!record.file.empty())
    add("file", quoted(record.file));
  if (record.packed)
    add("packed", "true");
  if (record.opsBefore >= 0)
    add("ops_before", std::to_string(record.opsBefore));
  if (record.opsAfter >= 0)
    add("ops_after", std::to_string(record.opsAfter));
  if (!record.kinds.empty()) {
    add("kinds", "{");
    for (const auto &[kind, count] : record.kinds)
      (((text += text.back() == '{' ? "" : ",") += quoted(kind)) += ':') += std::to_string(count);
    text += "}";
  }
  if (!record.patterns.empty())
    add("patterns", quoted(record.patterns));
  if (!record.remarks.empty()) {
    add("remarks", "");
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os);
    json.array([&] {
      for (const RecordedRemark &remark : record.remarks)
        json.object([&] { printRemark(json, remark); });
    });
  }
  return text + "}";
}

/// The members of the index that are known before the first pass.
static void printHead(llvm::json::OStream &json, const RecordedPipelines &pipelines, const RecorderOptions &options) {
  json.attribute("schema", 1);
  json.attribute("tool", options.tool);
  json.attribute("mode", dumpModeName(options.mode));
  json.attribute("input", "0000_input.mlir");
  const std::vector<std::string> remaining = remainingPipelines(pipelines.roots());
  printPipeline(json, "pipeline", remaining.front());
  json.attributeArray("passes", [&] {
    for (const RecordedPass &info : pipelines.passes())
      json.object([&] {
        json.attribute("position", info.position);
        json.attribute("pass", info.name);
        json.attribute("options", info.options);
        json.attribute("anchor", info.anchor);
        if (!info.phase.empty())
          json.attribute("phase", info.phase);
        printPipeline(json, "remaining", remaining[info.position]);
      });
  });
}

std::string compiler::printIndexHead(const RecordedPipelines &pipelines, const RecorderOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] { printHead(json, pipelines, options); });
  text.pop_back();
  return text + ",\n\"records\": [";
}

std::string compiler::printRecordIndex(const PassRecorder &recorder, const RecordedPipelines &pipelines,
                                       const RecorderOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // One run of a pass on a line: a program has thousands.
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    printHead(json, pipelines, options);
    json.attributeArray("records", [&] {
      for (const PassRecord &record : recorder.records())
        json.rawValue(record.json.empty() ? compiler::printRecord(record) : record.json);
    });
    if (const std::optional<PassFailure> &failure = recorder.failure())
      json.attributeObject("failure", [&] {
        json.attribute("position", failure->position);
        json.attribute("pass", failure->pass);
        json.attribute("op", llvm::json::fixUTF8(failure->anchor));
        if (failure->path != failure->anchor)
          json.attribute("path", llvm::json::fixUTF8(failure->path));
        json.attribute("how", "failed");
        json.attribute("input", failure->input);
        json.attribute("state", failure->file);
        json.attribute("reproducer", failure->reproducer);
        json.attribute("command", failure->command);
      });
  });
  os << "\n";
  return text;
}

std::string compiler::writeRecordFile(llvm::StringRef directory, llvm::StringRef name, llvm::StringRef text) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
  if (std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return (llvm::Twine("cannot create folder '") + llvm::sys::path::parent_path(path).str() + "': " + code.message())
        .str();
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return (llvm::Twine("cannot write '") + path.str().str() + "': " + code.message()).str();
  os << text;
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return (llvm::Twine("cannot write '") + path.str().str() + "': " + code.message()).str();
  }
  return "";
}
