//===- Deps.cpp - the dependencies of an artifact's tasks --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Deps.h"

#include "lib/Support/Json.h"
#include "mica/Artifact/TaskGraph.h"
#include "mica/Artifact/TaskNames.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>

namespace mica::runtool {
namespace {

using artifact::Hazard;
using artifact::TaskGraph;
using artifact::TaskList;

/// A list with what its tasks need.
struct List {
  const TaskList *list;
  TaskGraph graph;
};

/// "bytes 0 to 4096 of the arena".
std::string memoryText(const Hazard &hazard) {
  const std::string where = hazard.memory == artifact::BufferKind::Arena ? "the arena"
                            : hazard.memory == artifact::BufferKind::Parameter
                                ? "parameter " + std::to_string(hazard.index)
                                : "buffer " + std::to_string(hazard.index);
  if (hazard.end < 0)
    return where + (hazard.begin > 0 ? " from byte " + std::to_string(hazard.begin) : "");
  return "bytes " + std::to_string(hazard.begin) + " to " + std::to_string(hazard.end) + " of " + where;
}

std::string_view whatHappens(artifact::HazardKind kind) {
  constexpr std::string_view kTexts[] = {"reads what that one writes", "writes what that one reads",
                                         "writes what that one writes"};
  return kTexts[size_t(kind)];
}

Json jsonOf(const artifact::Manifest &manifest, const std::vector<List> &lists) {
  Json root;
  root["format"] = schemaFormat(Schema::Dependencies);
  root["schema"] = schemaVersion(Schema::Dependencies);
  root["lists"] = Json::array();
  for (const auto &[list, graph] : lists) {
    Json made{{"name", list->name}, {"tasks", Json::array()}, {"edges", Json::array()}, {"hazards", Json::array()}};
    for (const artifact::TaskRecord &task : list->tasks) {
      const artifact::OpRecord *op = rootOf(manifest, task);
      made["tasks"].push_back({{"kernel", task.kernel},
                               {"site", task.site},
                               {"device", task.device},
                               {"op", op ? op->id : ""},
                               {"op_kind", op ? op->kind : ""},
                               {"buffers", task.buffers}});
    }
    for (const artifact::TaskEdge &edge : graph.edges)
      made["edges"].push_back(
          {{"before", edge.before}, {"after", edge.after}, {"needed", edge.isNeeded}, {"implied", edge.isImplied}});
    for (const Hazard &hazard : graph.hazards)
      made["hazards"].push_back({{"reason", std::string(artifact::hazardName(hazard.kind))},
                                 {"before", hazard.before},
                                 {"after", hazard.after},
                                 {"before_binding", hazard.beforeBinding},
                                 {"after_binding", hazard.afterBinding},
                                 {"memory", memoryText(hazard)},
                                 {"ordered", hazard.isOrdered}});
    root["lists"].push_back(std::move(made));
  }
  return root;
}

/// For Graphviz: missing dependencies are red, those that nothing needs gray.
std::string dotOf(const std::vector<List> &lists) {
  std::string text = "digraph tasks {\n  node [shape=box];\n";
  for (size_t l = 0; l < lists.size(); ++l) {
    const auto &[list, graph] = lists[l];
    auto node = [&](size_t task) { return "t" + std::to_string(l) + "_" + std::to_string(task); };
    for (size_t i = 0; i < list->tasks.size(); ++i)
      text += "  " + node(i) + " [label=\"" + std::to_string(i) + ": " + list->tasks[i].kernel + "\"];\n";
    for (const artifact::TaskEdge &edge : graph.edges)
      text += "  " + node(edge.before) + " -> " + node(edge.after) + (edge.isNeeded ? "" : " [color=gray]") + ";\n";
    for (const Hazard &hazard : graph.missing())
      text += "  " + node(hazard.before) + " -> " + node(hazard.after) + " [color=red, label=\"missing " +
              std::string(artifact::hazardName(hazard.kind)) + "\"];\n";
  }
  return text + "}\n";
}

} // namespace

Result<bool> showDependencies(const artifact::Artifact &artifact, const std::string &file) {
  const artifact::Manifest &manifest = artifact.manifest();
  std::vector<List> lists;
  for (const TaskList &list : artifact.taskLists())
    lists.push_back({&list, artifact::graphOf(list, manifest)});
  if (!file.empty()) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending != ".json" && ending != ".dot")
      return Error{ErrorCode::InvalidInput, "--deps=" + file + ": unknown form", "the name ends in .json or .dot"};
    MICA_RETURN_IF_ERROR(writeFileAtomic(file, ending == ".json" ? printJson(jsonOf(manifest, lists)) : dotOf(lists)));
  }
  bool isComplete = true;
  for (const auto &[list, graph] : lists) {
    const std::vector<Hazard> missing = graph.missing();
    const auto unneeded = std::count_if(graph.edges.begin(), graph.edges.end(),
                                        [](const artifact::TaskEdge &edge) { return !edge.isNeeded; });
    const auto implied = std::count_if(graph.edges.begin(), graph.edges.end(),
                                       [](const artifact::TaskEdge &edge) { return edge.isNeeded && edge.isImplied; });
    std::printf(
        "list '%s': %zu tasks, %zu dependencies, %zu missing; %lld others order tasks that share no memory, %lld "
        "follow from others\n",
        list->name.c_str(), list->tasks.size(), graph.edges.size(), missing.size(), static_cast<long long>(unneeded),
        static_cast<long long>(implied));
    isComplete &= missing.empty();
    for (const Hazard &hazard : missing)
      std::printf("  missing: %s has to wait for %s: it %s (%s), %s; add %zu to the `deps` of task %zu in %s\n",
                  taskText(manifest, *list, hazard.after).c_str(), taskText(manifest, *list, hazard.before).c_str(),
                  std::string(whatHappens(hazard.kind)).c_str(), std::string(artifact::hazardName(hazard.kind)).c_str(),
                  memoryText(hazard).c_str(), hazard.before, hazard.after, std::string(artifact::kTasksFile).c_str());
  }
  return isComplete;
}

std::string pairText(const artifact::Manifest &manifest, const TaskList &list, size_t before, size_t after,
                     size_t firstTask) {
  std::string text =
      "  " + taskText(manifest, list, before, firstTask) + "\n  " + taskText(manifest, list, after, firstTask) + "\n";
  for (const Hazard &hazard : artifact::graphOf(list, manifest).hazards)
    if (hazard.before == std::min(before, after) && hazard.after == std::max(before, after) && !hazard.isOrdered)
      return text + "  the second " + std::string(whatHappens(hazard.kind)) + " (" +
             std::string(artifact::hazardName(hazard.kind)) + "), " + memoryText(hazard) + ": add " +
             std::to_string(firstTask + hazard.before) + " to the `deps` of task " +
             std::to_string(firstTask + hazard.after) + " in " + std::string(artifact::kTasksFile) + "\n";
  return text + "  their kernels declare no memory that both access: one of them accesses memory that is not its own\n";
}

} // namespace mica::runtool
