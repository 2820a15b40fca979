//===- Program.cpp - the program of an artifact: entries, ops, kernels, sites -------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// From the manifest, which its reader has checked.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Context.h"

#include "mica/Artifact/TaskGraph.h"
#include "mica/Trace/JsonScan.h"

#include <map>

namespace mica::report {

using artifact::Manifest;
using artifact::TensorSpec;

static std::string typeText(const TensorSpec &type) { return shapedTypeString(type.shape, type.dtype); }

/// Bytes of a tensor, -1 where a dimension is dynamic.
static int64_t bytesOf(const TensorSpec &type) {
  double bytes = type.dtype == DType::I4 ? 0.5 : static_cast<double>(dtypeBytes(type.dtype));
  for (const int64_t size : type.shape) {
    if (size < 0)
      return -1;
    bytes *= static_cast<double>(size);
  }
  return bytes < 9e18 ? static_cast<int64_t>(bytes) : -1;
}

static std::string signature(ArtifactContext &context, const std::vector<TensorSpec> &specs) {
  std::string text;
  for (const TensorSpec &spec : specs)
    text +=
        (text.empty() ? "" : ", ") + (spec.name.empty() ? "" : context.names.text(spec.name) + ": ") + typeText(spec);
  return "(" + text + ")";
}

static Json kernelRow(ArtifactContext &context, const artifact::KernelRecord &kernel, int64_t launches) {
  Names &names = context.names;
  Json kinds = Json::array(), bindings = Json::array(), checks, files = Json::array();
  for (const std::string &kind : kernel.opKinds)
    kinds.push_back(names.opKind(kind));
  for (const artifact::BindingRecord &binding : kernel.bindings) {
    static constexpr const char *kAccess[] = {"read", "write", "readwrite"};
    bindings.push_back(
        row(typeText(binding.type), kAccess[static_cast<size_t>(binding.access)], bytesOf(binding.type)));
  }
  if (kernel.checks) {
    Json sites = Json::array();
    for (const artifact::CheckRecord &check : kernel.checks->sites)
      sites.push_back(row(names.text(check.kind), names.text(check.message), check.binding, check.ops));
    checks = row(kernel.checks->proved, kernel.checks->notCheckable, std::move(sites));
  }
  for (const char *file : {"kernel.mlir", "kernel.ll", "kernel.s", "device.ll", "kernel.ptx"})
    if (const auto found = context.fileNumbers.find("kernels/" + kernel.name + "/" + file);
        found != context.fileNumbers.end())
      files.push_back(found->second);
  return row(names.kernel(kernel.name), names.text(names.redacts() ? "" : kernel.rootKind), context.ids(kernel.opIds),
             std::move(kinds), std::move(bindings), kernel.scalarArgs, kernel.grid, kernel.scratchBytes, kernel.flops,
             names.text(kernel.strategy), names.hash(kernel.hash), kernel.masks, std::move(checks), launches,
             std::move(files));
}

Json programPart(ArtifactContext &context) {
  const Manifest &m = context.artifact.manifest();
  Names &names = context.names;
  std::map<std::string, int64_t> launches;
  for (const artifact::TaskList &list : context.artifact.taskLists())
    for (const artifact::TaskRecord &task : list.tasks)
      ++launches[task.kernel];
  Json entries = Json::array(), ops = Json::array(), kernels = Json::array(), sites = Json::array();
  Json options = Json::array(), constants = Json::array();
  for (const artifact::EntryRecord &entry : m.entries)
    entries.push_back(
        row(names.function(entry.name), signature(context, entry.args), signature(context, entry.results)));
  for (const artifact::OpRecord &op : m.ops) {
    Json positions = Json::array();
    for (const artifact::SourcePosition &at : op.positions)
      positions.push_back(row(names.sourceFile(at.file), at.line, at.column));
    ops.push_back(row(names.id(op.id), names.opKind(op.kind), names.function(op.function), op.ordinal,
                      names.hash(op.fingerprint), std::move(positions),
                      names.redacts() ? std::string() : trace::validUtf8(fullName(op))));
  }
  for (const artifact::KernelRecord &kernel : m.kernels)
    kernels.push_back(kernelRow(context, kernel, launches[kernel.name]));
  for (const artifact::SiteRecord &site : m.sites)
    sites.push_back(row(context.kernelNumber(site.kernel), context.ids(site.opIds)));
  for (const auto &[name, value] : m.options)
    options.push_back(row(trace::validUtf8(name), names.text(value)));
  int64_t constantBytes = 0;
  for (const artifact::ConstantRecord &constant : m.constants)
    constantBytes += constant.bytes;
  std::string command;
  for (const std::string &argument : m.commandLine)
    command += (command.empty() ? "" : " ") + argument;
  return {{"input", names.sourceFile(m.inputFile)},
          {"command", names.redacts() ? "" : trace::validUtf8(command)},
          {"tools", "mica " + trace::validUtf8(m.micaVersion) + ", LLVM " + trace::validUtf8(m.llvmVersion)},
          {"target", trace::validUtf8(m.target)},
          {"triple", trace::validUtf8(m.triple)},
          {"cpu", trace::validUtf8(m.cpu)},
          {"features", m.cpuFeatures},
          {"options", std::move(options)},
          {"entries", std::move(entries)},
          {"ops", std::move(ops)},
          {"kernels", std::move(kernels)},
          {"sites", std::move(sites)},
          {"constants", Json{m.constants.size(), constantBytes}}};
}

Json taskListsPart(ArtifactContext &context) {
  static constexpr const char *kKinds[] = {"parameter", "constant", "arena", "dynamic"};
  Json lists = Json::array();
  for (const artifact::TaskList &list : context.artifact.taskLists()) {
    Json buffers = Json::array(), tasks = Json::array();
    for (const artifact::BufferRecord &buffer : list.buffers)
      buffers.push_back(row(kKinds[static_cast<size_t>(buffer.kind)], buffer.index, buffer.offset, buffer.bytes,
                            typeText(buffer.type), buffer.viewOf));
    for (const artifact::TaskRecord &task : list.tasks)
      tasks.push_back(row(context.kernelNumber(task.kernel), task.buffers, task.deps, task.site,
                          context.names.text(context.names.redacts() ? "" : task.device)));
    // Why each dependency is there: the memory that both tasks access.
    const artifact::TaskGraph graph = artifact::graphOf(list, context.artifact.manifest());
    std::map<std::pair<size_t, size_t>, const artifact::Hazard *> hazards;
    for (const artifact::Hazard &hazard : graph.hazards)
      hazards.emplace(std::pair(hazard.before, hazard.after), &hazard);
    auto reasonRow = [](const artifact::Hazard &hazard) {
      return row(std::string(artifact::hazardName(hazard.kind)), kKinds[static_cast<size_t>(hazard.memory)],
                 hazard.index, hazard.begin, hazard.end);
    };
    Json edges = Json::array(), missing = Json::array();
    for (const artifact::TaskEdge &edge : graph.edges) {
      const auto it = hazards.find({edge.before, edge.after});
      edges.push_back(
          row(edge.before, edge.after, edge.isImplied, it == hazards.end() ? Json(nullptr) : reasonRow(*it->second)));
    }
    for (const artifact::Hazard &hazard : graph.missing())
      missing.push_back(row(hazard.before, hazard.after, false, reasonRow(hazard)));
    lists.push_back(row(context.names.function(list.name), list.parameters, list.scalars, list.arenaBytes,
                        std::move(buffers), std::move(tasks), std::move(edges), std::move(missing)));
  }
  return lists;
}

} // namespace mica::report
