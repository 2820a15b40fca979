//===- CompileTrace.cpp - trace records of a compile --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Each entry is a unit with its compile [unit/0]. Records of the whole program are written with the first unit, those
// of a kernel with the first entry that launches it. A rejected strategy is an attempt, and the metrics are those of
// the last attempt.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/CompileTrace.h"

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Trace/ToolTrace.h"
#include "mica/Trace/Writer.h"

#include <map>

using namespace mica;
using namespace mica::compiler;
using namespace mica::trace;

namespace fs = std::filesystem;

static constexpr WritePlace kPlace{"lib/Compiler/Driver/CompileTrace.cpp", 0};

/// A member of a JSON object as text; "" if there is none.
static std::string_view member(const std::vector<JsonMember> &members, std::string_view key) {
  for (const JsonMember &m : members)
    if (m.key == key)
      return m.value;
  return {};
}

CompileTrace::CompileTrace(const CompileOptions &options) : options(options) {
  std::optional<std::string> folder = environmentValue("MICA_TRACE");
  if (!folder || options.emit != Emit::Artifact)
    return;
  started = microsecondsNow();
  // A compile that another process started belongs to its log.
  if (std::optional<std::string> parent = environmentValue("MICA_TRACE_PARENT")) {
    std::vector<JsonMember> members;
    scanJson(*parent, &members);
    if (Result<std::unique_ptr<Writer>> made = Writer::ofParent(jsonString(member(members, "log")).value_or(""))) {
      writer = *std::move(made);
      unit.first = std::max<int64_t>(jsonInteger(member(members, "frame_id")).value_or(0), 0);
      unit.number = std::max<int64_t>(jsonInteger(member(members, "frame_compile_id")).value_or(0), 0);
      recompileReason = jsonString(member(members, "recompile_reason")).value_or("");
    }
  }
  if (!writer)
    writer = Writer::inFolder(*folder);
  // Written at once, so that a compile that crashes or is killed leaves its beginning.
  writeToolRecord(*writer, "mica-compile", options.commandLine, unit(0), kPlace);
  writer->event("compile", 'B', started, unit(0), kPlace);
}

void CompileTrace::addParentsFields(JsonFields &fields) const {
  if (!options.specialize.empty())
    fields.push_back({"specialized_for", quoteJson(options.specialize)});
  if (!recompileReason.empty())
    fields.push_back({"recompile_reason", quoteJson(recompileReason)});
}
CompileTrace::~CompileTrace() = default;

void CompileTrace::finish(const Status &status) {
  if (!writer)
    return;
  if (status)
    finishArtifact();
  else
    finishFailure(status.error());
  if (Status written = writer->status(); !written)
    printWarning("mica-compile", "the trace is incomplete: " + written.error().message, written.error().hint);
}

void CompileTrace::finishFailure(const Error &error) {
  const double ended = microsecondsNow();
  writer->start({{options.input, 0, fs::path(options.input).stem().string(), ""}}, unit(0), kPlace);
  writer->event("compile", 'E', ended, unit(0), kPlace);
  JsonFields fields = {{"co_name", quoteJson(fs::path(options.input).stem().string())},
                       {"co_filename", quoteJson(options.input)},
                       {"fail_type", quoteJson(errorCodeName(error.code))},
                       {"fail_reason", quoteJson(error.message)},
                       {"restart_reasons", "[]"},
                       {"duration_us", std::to_string(static_cast<int64_t>(ended - started))}};
  addParentsFields(fields);
  writer->metrics(fields, unit(0), kPlace);
}

void CompileTrace::finishArtifact() {
  const double ended = microsecondsNow();
  Result<artifact::Artifact> opened = artifact::Artifact::open(options.output);
  if (!opened) {
    writer->event("compile", 'E', ended, unit(0), kPlace);
    printWarning("mica-compile", "the trace lacks this compile: " + opened.error().message, opened.error().hint);
    return;
  }
  const artifact::Manifest &manifest = opened->manifest();
  // All entries are compiled together; the span is written with the first.
  std::vector<std::pair<int64_t, artifact::SourcePosition>> functions;
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    artifact::SourcePosition place{manifest.inputFile, 0, 0};
    int64_t ops = 0;
    for (const artifact::OpRecord &op : manifest.ops) {
      if (op.function != manifest.entries[i].name)
        continue;
      if (ops++ == 0 && !op.positions.empty())
        place = op.positions.back();
    }
    functions.push_back({ops, place});
    writer->start({{place.file, place.line, manifest.entries[i].name, ""}}, unit(i), kPlace);
    writeGuards(*writer, manifest.entries[i], unit(i));
  }
  const ProductsSummary products = writeProducts(*writer, *opened, unit);
  std::string command;
  for (const std::string &argument : options.commandLine) {
    std::string quoted;
    for (char c : argument)
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += (command.empty() ? "'" : " '") + quoted + "'";
  }
  std::error_code ignored;
  writer->artifact("reproducer", "#!/bin/sh\ncd '" + fs::current_path(ignored).string() + "' && " + command + "\n",
                   unit(0), kPlace);
  writer->event("compile", 'E', ended, unit(0), kPlace,
                {{"kernels", std::to_string(manifest.kernels.size())}, {"ops", std::to_string(manifest.ops.size())}});

  std::string target = "{";
  for (const auto &[name, value] : manifest.options)
    target += (target.size() > 1 ? ", " : "") + quoteJson(name) + ": " + quoteJson(value);
  target += "}";
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    JsonFields fields = {{"co_name", quoteJson(manifest.entries[i].name)},
                         {"co_filename", quoteJson(functions[i].second.file)},
                         {"co_firstlineno", std::to_string(frameLine(functions[i].second.line))},
                         {"graph_op_count", std::to_string(functions[i].first)},
                         {"graph_input_count", std::to_string(manifest.entries[i].args.size())},
                         {"kernel_count", std::to_string(products.kernels[i])},
                         {"fail_type", "null"},
                         {"fail_reason", "null"},
                         {"restart_reasons", products.reasons(i)},
                         {"target", quoteJson(manifest.target)},
                         {"triple", quoteJson(manifest.triple)},
                         {"mica_config", quoteJson(target)},
                         {"mica_version", quoteJson(manifest.micaVersion)},
                         {"llvm_version", quoteJson(manifest.llvmVersion)}};
    fields.push_back({"guard_count", std::to_string(manifest.entries[i].args.size())});
    addParentsFields(fields);
    if (i > 0)
      fields.push_back({"compiled_with", quoteJson(unit(0).text())});
    if (i == 0) {
      fields.push_back({"start_time_us", std::to_string(static_cast<int64_t>(started))});
      fields.push_back({"duration_us", std::to_string(static_cast<int64_t>(ended - started))});
      // Kernels are compiled concurrently: a phase's sum may exceed the total.
      for (const auto &[phase, milliseconds] : products.phases)
        fields.push_back({phase + "_passes_time_us", std::to_string(static_cast<int64_t>(milliseconds * 1000))});
    }
    writer->metrics(fields, unit(i, products.attempts(i)), kPlace);
  }
}
