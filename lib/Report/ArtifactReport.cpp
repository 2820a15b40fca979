//===- ArtifactReport.cpp - an artifact on a few screens ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One function per part, in the order a reader asks: what is it, what can run, what are the kernels, what did the
// passes do, where is the memory, what lies in the folder.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Report/Report.h"

#include "lib/Report/PassIndex.h"
#include "lib/Report/Table.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace fs = std::filesystem;

namespace mica::report {
namespace {

using artifact::Artifact;
using artifact::Manifest;

std::string count(size_t n, const std::string &thing) { return std::to_string(n) + " " + thing + (n == 1 ? "" : "s"); }

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string specList(const std::vector<artifact::TensorSpec> &specs) {
  std::string text;
  for (const artifact::TensorSpec &spec : specs)
    text += (text.empty() ? "" : ", ") + (spec.name.empty() ? "" : spec.name + ": ") +
            shapedTypeString(spec.shape, spec.dtype);
  return "(" + text + ")";
}

std::string headPart(const Artifact &artifact) {
  const Manifest &m = artifact.manifest();
  std::string text = "artifact  " + artifact.folder().string() + "\n";
  text += "model     " + m.inputFile + "\n";
  text += "made by   mica " + m.micaVersion + ", LLVM " + m.llvmVersion + ":";
  for (const std::string &argument : m.commandLine)
    text += " " + argument;
  text += "\ntarget    " + m.target + ", " + m.triple + ", " + m.cpu;
  if (!m.cpuFeatures.empty())
    text += "; needs " + joinNames(m.cpuFeatures, 20);
  text += "\n";
  if (!m.options.empty()) {
    text += "options  ";
    for (const auto &[name, value] : m.options)
      text += " " + name + "=" + value;
    text += "\n";
  }
  return text;
}

std::string entriesPart(const Manifest &m) {
  std::string text = "\n" + std::to_string(m.entries.size()) + (m.entries.size() == 1 ? " entry\n" : " entries\n");
  for (const artifact::EntryRecord &entry : m.entries)
    text += "  " + entry.name + specList(entry.args) + " -> " + specList(entry.results) + "\n";
  return text;
}

std::string kernelsPart(const Artifact &artifact) {
  const Manifest &m = artifact.manifest();
  std::map<std::string, int64_t> launches;
  int64_t total = 0;
  for (const artifact::TaskList &list : artifact.taskLists())
    for (const artifact::TaskRecord &task : list.tasks) {
      ++launches[task.kernel];
      ++total;
    }
  std::map<std::string, const artifact::OpRecord *> ops;
  for (const artifact::OpRecord &op : m.ops)
    ops[op.id] = &op;
  std::string text = "\n" + count(m.kernels.size(), "kernel") + ", launched from " +
                     count(static_cast<size_t>(total), "place") + "; below each the ops fused into it, root first\n";
  Table table({"kernel", "root", "launches", "grid", "scratch", "strategy"});
  for (const artifact::KernelRecord &kernel : m.kernels) {
    table.add({kernel.name, kernel.rootKind, std::to_string(launches[kernel.name]),
               kernel.grid < 0 ? "dynamic" : std::to_string(kernel.grid), byteSize(kernel.scratchBytes),
               kernel.strategy});
    constexpr size_t kShown = 12;
    for (size_t i = 0; i < kernel.opIds.size() && i < kShown; ++i) {
      std::string line = "    " + kernel.opIds[i] + "  " + kernel.opKinds[i];
      if (auto op = ops.find(kernel.opIds[i]); op != ops.end() && !op->second->positions.empty()) {
        const artifact::SourcePosition &at = op->second->positions.back();
        line += "  " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
      }
      table.addLine(line);
    }
    if (kernel.opIds.size() > kShown)
      table.addLine("    and " + std::to_string(kernel.opIds.size() - kShown) + " more");
  }
  return text + table.text();
}

Result<std::string> snapshotsPart(const Artifact &artifact) {
  const fs::path file = artifact.path("passes_dump/index.json");
  std::error_code error;
  if (!fs::exists(file, error))
    return std::string();
  MICA_ASSIGN_OR_RETURN(const PassIndex index, readPassIndex(file));
  if (index.runs.empty())
    return std::string();
  struct Phase {
    std::string name;
    int64_t runs = 0, snapshots = 0;
    double ms = 0;
  };
  std::vector<Phase> phases;
  int64_t snapshots = 0;
  double total = 0;
  for (const PassRun &run : index.runs) {
    auto phase = std::find_if(phases.begin(), phases.end(), [&](const Phase &p) { return p.name == run.phase; });
    if (phase == phases.end())
      phase = phases.insert(phases.end(), Phase{run.phase, 0, 0, 0});
    ++phase->runs;
    phase->snapshots += !run.file.empty();
    phase->ms += run.milliseconds;
    snapshots += !run.file.empty();
    total += run.milliseconds;
  }
  std::string text = "\n" + count(static_cast<size_t>(snapshots), "snapshot") + " in passes_dump; the pipeline has " +
                     std::to_string(index.passes) + " passes, " + fixed(total, 1) + " ms\n";
  Table table({"phase", "runs", "snapshots", "ms"});
  for (const Phase &phase : phases)
    table.add({phase.name.empty() ? "(none)" : phase.name, std::to_string(phase.runs), std::to_string(phase.snapshots),
               fixed(phase.ms, 1)});
  text += table.text();
  std::vector<const PassRun *> slowest;
  for (const PassRun &run : index.runs)
    slowest.push_back(&run);
  std::stable_sort(slowest.begin(), slowest.end(),
                   [](const PassRun *a, const PassRun *b) { return a->milliseconds > b->milliseconds; });
  text += "  slowest:";
  for (size_t i = 0; i < slowest.size() && i < 3; ++i)
    text += (i ? ", " : " ") + slowest[i]->pass + (slowest[i]->op.empty() ? "" : "@" + slowest[i]->op) + " " +
            fixed(slowest[i]->milliseconds, 1) + " ms";
  return text + "\n";
}

std::string memoryPart(const Artifact &artifact) {
  const Manifest &m = artifact.manifest();
  int64_t constants = 0;
  for (const artifact::ConstantRecord &constant : m.constants)
    constants += constant.bytes;
  std::string text = "\nmemory\n  " + count(m.constants.size(), "constant") + ", " + byteSize(constants) + "\n";
  for (const artifact::TaskList &list : artifact.taskLists())
    text += "  task list " + list.name + ": " + count(list.tasks.size(), "task") + ", arena " +
            byteSize(list.arenaBytes) + "\n";
  return text;
}

std::string filesPart(const Artifact &artifact) {
  struct Group {
    size_t files = 0, missing = 0;
    int64_t bytes = 0;
  };
  std::map<std::string, Group> groups;
  for (const artifact::FileRecord &record : artifact.manifest().files) {
    const size_t slash = record.path.find('/');
    Group &group = groups[slash == std::string::npos ? record.path : record.path.substr(0, slash + 1)];
    std::error_code error;
    const uintmax_t size = fs::file_size(artifact.path(record.path), error);
    ++group.files;
    group.missing += bool(error);
    group.bytes += error ? 0 : static_cast<int64_t>(size);
  }
  std::string text = "\n" + count(artifact.manifest().files.size(), "file") + "\n";
  Table table({"where", "files", "size", ""});
  for (const auto &[name, group] : groups)
    table.add({name, std::to_string(group.files), byteSize(group.bytes),
               group.missing ? std::to_string(group.missing) + " missing" : ""});
  return text + table.text();
}

} // namespace

Result<std::string> describeArtifact(const Artifact &artifact) {
  MICA_ASSIGN_OR_RETURN(const std::string snapshots, snapshotsPart(artifact));
  return headPart(artifact) + entriesPart(artifact.manifest()) + kernelsPart(artifact) + snapshots +
         memoryPart(artifact) + filesPart(artifact);
}

} // namespace mica::report
