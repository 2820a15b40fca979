//===- SnapshotGraph.cpp - the build graph of snapshots -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Processes the snapshots by position; each is made from the previous one of the program or of its kernel. Snapshots of
// host functions count as the program's. Kernels of phase lowered start from kernel.mlir, to which debug lines refer.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/SnapshotGraph.h"

#include "mica/Artifact/Edits.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mica;
using namespace mica::compiler;

namespace {
struct SnapshotFile {
  artifact::SnapshotName name;
  artifact::FileRecord *record;
};
} // namespace

void compiler::linkSnapshots(artifact::Manifest &manifest, const std::vector<std::string> &phases) {
  std::set<std::string> kernels;
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    kernels.insert(kernel.name);
  std::vector<SnapshotFile> snapshots;
  std::map<std::string, artifact::FileRecord *> records;
  for (artifact::FileRecord &record : manifest.files) {
    records[record.path] = &record;
    if (artifact::SnapshotName name = artifact::parseSnapshotName(record.path); name.position >= 0)
      snapshots.push_back({std::move(name), &record});
  }
  std::stable_sort(snapshots.begin(), snapshots.end(), [](const SnapshotFile &a, const SnapshotFile &b) {
    return std::tie(a.name.position, a.record->path) < std::tie(b.name.position, b.record->path);
  });

  std::string program = "input.mlirbc", loweredProgram;
  std::map<std::string, std::string> ofKernel, ofLoweredKernel; // the last snapshot
  for (SnapshotFile &snapshot : snapshots) {
    const size_t pass = static_cast<size_t>(snapshot.name.position);
    const bool isLowered = pass > 0 && pass <= phases.size() && phases[pass - 1] == "lowered";
    const std::string first = snapshot.name.anchor.substr(0, snapshot.name.anchor.find('.'));
    const std::string &path = snapshot.record->path;
    std::vector<std::string> inputs;
    if (kernels.count(first)) {
      std::string &last = (isLowered ? ofLoweredKernel : ofKernel)[first];
      inputs = {!last.empty() ? last : isLowered ? "kernels/" + first + "/kernel.mlir" : program};
      if (isLowered && last.empty() && !loweredProgram.empty())
        inputs.push_back(loweredProgram);
      last = path;
    } else if (isLowered) {
      inputs = {!loweredProgram.empty() ? loweredProgram : "host/schedule.mlir"};
      loweredProgram = path;
    } else {
      inputs = {program};
      program = path;
    }
    snapshot.record->inputs = std::move(inputs);
    if (auto map = records.find(path + ".map.json"); map != records.end())
      map->second->inputs = {path};
  }

  auto link = [&](const std::string &path, std::vector<std::string> inputs) {
    auto found = records.find(path);
    if (found != records.end())
      found->second->inputs = std::move(inputs);
  };
  link("host/schedule.mlir", {program});
  link("host/host.ll", {loweredProgram.empty() ? "host/schedule.mlir" : loweredProgram});
  for (const std::string &kernel : kernels) {
    const std::string base = "kernels/" + kernel + "/";
    const std::string &last = ofKernel[kernel], &lowered = ofLoweredKernel[kernel];
    link(base + "kernel.mlir", {last.empty() ? program : last});
    link(base + "kernel.ll", {lowered.empty() ? base + "kernel.mlir" : lowered});
  }
}
