//===- Explain.cpp - everything about one op ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Joins the manifest's records, the task lists, the remarks and the line maps over an op's id.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Report/Report.h"

#include "lib/Report/Artifact/Names.h"
#include "lib/Report/LineMap.h"
#include "lib/Support/Json.h"
#include "mica/Artifact/Edits.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <set>

namespace mica::report {
namespace {

using artifact::Artifact;
using artifact::Manifest;

/// The ids of the program: of its ops, and of kernels and sites that name others.
std::vector<std::string> allIds(const Manifest &m) {
  std::set<std::string> ids;
  for (const artifact::OpRecord &op : m.ops)
    ids.insert(op.id);
  for (const artifact::KernelRecord &kernel : m.kernels)
    ids.insert(kernel.opIds.begin(), kernel.opIds.end());
  for (const artifact::SiteRecord &site : m.sites)
    ids.insert(site.opIds.begin(), site.opIds.end());
  return {ids.begin(), ids.end()};
}

Result<std::string> resolveId(const Manifest &m, std::string_view text) {
  const std::vector<std::string> ids = allIds(m);
  std::vector<std::string> matches;
  for (const std::string &id : ids)
    if (id.starts_with(text) && !text.empty())
      matches.push_back(id);
  if (matches.size() == 1)
    return matches[0];
  if (matches.size() > 1)
    return Error{ErrorCode::InvalidInput,
                 "'" + std::string(text) + "' begins " + std::to_string(matches.size()) + " ids",
                 "give more digits: " + joinNames(matches)};
  const std::string nearest = nearestName(text, ids);
  return Error{ErrorCode::NotFound, "the program has no op '" + std::string(text) + "'",
               (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
                   "mica-report DIR lists the ids under each kernel"};
}

std::string originPart(const Manifest &m, const std::string &id) {
  for (const artifact::OpRecord &op : m.ops) {
    if (op.id != id)
      continue;
    std::string text = "op " + id + "  " + op.kind + ", number " + std::to_string(op.ordinal) +
                       " of its kind in function " + op.function + " (from 0)\n";
    if (!op.name.empty())
      text += "  named " + fullName(op) + "\n";
    for (const artifact::SourcePosition &at : op.positions)
      text += "  from " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + "\n";
    if (!op.fingerprint.empty())
      text += "  fingerprint " + op.fingerprint + "\n";
    return text;
  }
  return "op " + id + "  created by the compiler (not in the input)\n";
}

std::string kernelsPart(const Artifact &artifact, const std::string &id) {
  const Manifest &m = artifact.manifest();
  std::string text;
  for (size_t s = 0; s < m.sites.size(); ++s) {
    const artifact::SiteRecord &site = m.sites[s];
    const auto at = std::find(site.opIds.begin(), site.opIds.end(), id);
    if (at == site.opIds.end())
      continue;
    const auto ordinal = static_cast<size_t>(at - site.opIds.begin());
    const auto kernel =
        std::find_if(m.kernels.begin(), m.kernels.end(), [&](const auto &k) { return k.name == site.kernel; });
    text += "kernel " + site.kernel + ", site " + std::to_string(s) + ": " +
            (ordinal == 0 ? "the root" : "ordinal " + std::to_string(ordinal)) + " of " +
            std::to_string(site.opIds.size()) + (site.opIds.size() == 1 ? " op\n" : " ops\n");
    if (kernel == m.kernels.end())
      continue;
    for (size_t i = 0; i < site.opIds.size(); ++i)
      if (i != ordinal)
        text += "  with " + site.opIds[i] + "  " + kernel->opKinds[i] + "\n";
    text += "  strategy " + kernel->strategy + ", grid " +
            (kernel->grid < 0 ? "dynamic" : std::to_string(kernel->grid)) + "\n";
    for (const artifact::TaskList &list : artifact.taskLists())
      for (size_t t = 0; t < list.tasks.size(); ++t)
        if (list.tasks[t].site == static_cast<int64_t>(s))
          text += "  launched by task " + std::to_string(t) + " of " + list.name + " on " + list.tasks[t].device + "\n";
  }
  return text.empty() ? "in no kernel: folded, merged with an equal op, or not needed\n" : text;
}

/// What passes said of the op: done, not done and why.
std::string remarksPart(const Artifact &artifact, const std::string &id) {
  const Result<std::string> text = readFile(artifact.path("report/remarks.json"));
  const Json report = text ? Json::parse(*text, nullptr, false) : Json();
  std::string said;
  if (!report.is_object() || !report.contains("remarks") || !report["remarks"].is_array())
    return said;
  auto word = [](const Json &remark, const char *key) {
    return remark.contains(key) && remark[key].is_string() ? remark[key].get<std::string>() : std::string();
  };
  for (const Json &remark : report["remarks"]) {
    if (!remark.is_object() || !remark.contains("ids") || !remark["ids"].is_array())
      continue;
    const Json &ids = remark["ids"];
    if (std::find(ids.begin(), ids.end(), id) != ids.end())
      said += "  " + word(remark, "kind") + " " + word(remark, "name") + " (" + word(remark, "pass") +
              (word(remark, "op").empty() ? "" : ", " + word(remark, "op")) + "): " + word(remark, "message") + "\n";
  }
  return said.empty() ? "" : "remarks of passes\n" + said;
}

/// The id under which the files of a kernel have op `id`: equal kernels are compiled once, with the ids of the first.
std::string idInKernel(const Manifest &m, const artifact::KernelRecord &kernel, const std::string &id) {
  if (std::find(kernel.opIds.begin(), kernel.opIds.end(), id) != kernel.opIds.end())
    return id;
  for (const artifact::SiteRecord &site : m.sites) {
    const auto at = std::find(site.opIds.begin(), site.opIds.end(), id);
    if (const size_t ordinal = at - site.opIds.begin();
        site.kernel == kernel.name && at != site.opIds.end() && ordinal < kernel.opIds.size())
      return kernel.opIds[ordinal];
  }
  return id;
}

Result<std::string> linesPart(const Artifact &artifact, const std::string &id) {
  MICA_ASSIGN_OR_RETURN(const OpPlaces found, placesOfOp(artifact, id));
  std::string text;
  for (const OpPlace &place : found.places)
    text += "  " + place.file + ": " + lineRanges(place.lines) +
            (place.compiledWith.empty() ? "" : " (compiled once, with " + place.compiledWith + ")") + "\n";
  if (!found.snapshots)
    text += "  those in the snapshots are not known: " + found.snapshots.error().message + "\n";
  return text.empty() ? "" : "lines\n" + text;
}

} // namespace

Result<OpPlaces> placesOfOp(const Artifact &artifact, const std::string &id) {
  OpPlaces found;
  std::vector<OpPlace> shared;
  for (const artifact::KernelRecord &kernel : artifact.manifest().kernels) {
    const std::string there = idInKernel(artifact.manifest(), kernel, id);
    if (there == id)
      continue;
    for (const char *name : {"kernel.mlir", "kernel.ll", "kernel.s", "device.ll", "kernel.ptx"}) {
      const std::string file = "kernels/" + kernel.name + "/" + name;
      Result<std::vector<int64_t>> lines = linesOfOp(artifact.path(file), there);
      if (lines && !lines->empty())
        shared.push_back({file, std::move(*lines), there});
    }
  }
  const std::filesystem::path snapshots = artifact.path("passes_dump");
  if (artifact::isSealed(snapshots))
    found.snapshots = artifact::unseal(snapshots);
  for (const artifact::FileRecord &record : artifact.manifest().files) {
    if (!artifact::isText(record.path) || record.path.ends_with(".json") ||
        (!found.snapshots && record.path.starts_with("passes_dump/")))
      continue;
    Result<std::vector<int64_t>> lines = linesOfOp(artifact.path(record.path), id);
    if (!lines && lines.error().code == ErrorCode::NotFound)
      continue;
    if (!lines)
      return lines.error();
    if (!lines->empty())
      found.places.push_back({record.path, std::move(*lines), ""});
  }
  found.places.insert(found.places.end(), shared.begin(), shared.end());
  return found;
}

Result<std::string> explainOp(const Artifact &artifact, std::string_view text) {
  MICA_ASSIGN_OR_RETURN(const std::string id, resolveId(artifact.manifest(), text));
  MICA_ASSIGN_OR_RETURN(const std::string lines, linesPart(artifact, id));
  return originPart(artifact.manifest(), id) + kernelsPart(artifact, id) + remarksPart(artifact, id) + lines;
}

} // namespace mica::report
