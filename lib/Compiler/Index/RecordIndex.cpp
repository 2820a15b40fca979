//===- RecordIndex.cpp - the index of a record --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordIndex.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Index/RecordIndex.h"

#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"

#include "lib/Compiler/Index/RecordedPipelines.h"
#include "lib/Compiler/Program/JsonLine.h"
#include "lib/Support/FileDescriptor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <utility>

#include <fcntl.h>

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

/// Prints no more digits than the clocks resolve.
static void addMilliseconds(JsonLine &json, double milliseconds) {
  char digits[32];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof(digits), milliseconds, std::chars_format::general, 6);
  json.addRaw("ms", llvm::StringRef(digits, end.ptr - digits));
}

/// "[1,0,2]"; async-signal-safe.
static void appendCounts(TextSink &sink, std::initializer_list<int64_t> counts) {
  llvm::StringRef separator = "[";
  for (int64_t count : counts) {
    char digits[24];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), count);
    sink.append(separator);
    sink.append(llvm::StringRef(digits, end.ptr - digits));
    separator = ",";
  }
  sink.append("]");
}

void compiler::appendRecord(TextSink &sink, const PassRecord &record, bool withTime) {
  JsonLine json(sink);
  json.add("position", record.position);
  json.add("op", record.anchor);
  if (record.path != record.anchor)
    json.add("path", record.path);
  if (withTime)
    addMilliseconds(json, record.milliseconds);
  if (record.failed)
    json.addRaw("failed", "true");
  json.addRaw("changed", record.changed ? "true" : "false");
  if (!record.file.empty())
    json.add("file", record.file);
  if (record.packed)
    json.addRaw("packed", "true");
  if (record.opsBefore >= 0)
    json.add("ops_before", record.opsBefore);
  if (record.opsAfter >= 0)
    json.add("ops_after", record.opsAfter);
  if (!record.kinds.empty()) {
    JsonLine kinds(json.key("kinds"));
    for (const auto &[kind, count] : record.kinds)
      kinds.add(kind, count);
  }
  if (!record.kindChanges.empty()) {
    JsonLine kinds(json.key("kind_changes"));
    for (const KindChange &change : record.kindChanges)
      appendCounts(kinds.key(change.kind), {change.added, change.removed, change.changed});
  }
  if (!record.patterns.empty())
    json.add("patterns", record.patterns);
  if (!record.remarks.empty()) {
    json.key("remarks");
    for (const RecordedRemark &remark : record.remarks) {
      sink.append(&remark == &record.remarks.front() ? "[" : ",");
      JsonLine each(sink);
      addRemark(each, remark);
    }
    sink.append("]");
  }
}

std::string compiler::printIndexHead(const RecordedPipelines &pipelines, const RecorderOptions &options) {
  std::string text;
  text.reserve(4096 + 512 * pipelines.passes().size());
  StringSink sink(text);
  {
    JsonLine json(sink);
    json.add("schema", schemaNumber(Schema::PassIndex));
    json.add("tool", options.tool);
    json.add("mode", dumpModeName(options.mode));
    json.add("input", "0000_input.mlir");
    json.add("pipeline", pipelineRange(pipelines.roots(), /*after=*/0));
    json.key("passes").append("[");
    const char *separator = "\n";
    for (const RecordedPass &info : pipelines.passes()) {
      sink.append(std::exchange(separator, ",\n"));
      JsonLine pass(sink);
      pass.add("position", info.position);
      pass.add("pass", info.name);
      pass.add("options", info.options);
      pass.add("anchor", info.anchor);
      if (!info.phase.empty())
        pass.add("phase", info.phase);
    }
    sink.append("]");
  }
  text.pop_back(); // the object continues
  text += ",\n\"records\":[";
  return text;
}

std::string compiler::printRecordIndex(const std::deque<PassRecord> &records, const std::optional<PassFailure> &failure,
                                       bool withTimes, llvm::StringRef head) {
  std::string text;
  size_t remarks = 0;
  for (const PassRecord &record : records)
    remarks += record.remarks.size();
  text.reserve(head.size() + 512 * (records.size() + remarks));
  text += head;
  StringSink sink(text);
  const char *separator = "\n";
  for (const PassRecord &record : records) {
    sink.append(std::exchange(separator, ",\n"));
    appendRecord(sink, record, withTimes);
  }
  text += ']';
  if (failure) {
    text += ",\n\"failure\":";
    JsonLine json(sink);
    json.add("position", failure->position);
    json.add("pass", failure->pass);
    json.add("op", failure->anchor);
    if (failure->path != failure->anchor)
      json.add("path", failure->path);
    json.add("how", "failed");
    json.add("input", failure->input);
    json.add("state", failure->file);
    json.add("reproducer", failure->reproducer);
    json.add("command", failure->command);
  }
  text += "}\n";
  return text;
}

/// False if it cannot be written, for any reason.
static bool writeWhole(llvm::SmallString<256> &path, llvm::StringRef text) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  while (file && !text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written <= 0)
      return false;
    text = text.drop_front(static_cast<size_t>(written));
  }
  return file && file.close() == 0;
}

std::string compiler::writeRecordFile(llvm::StringRef directory, llvm::StringRef name, llvm::StringRef text) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
  // Usually the folder exists already.
  if (writeWhole(path, text))
    return "";
  if (Status made = makeFolder(llvm::sys::path::parent_path(path).str()); !made)
    return made.error().message;
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
