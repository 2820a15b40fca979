//===- LayerGraph.cpp - which file of an artifact was made from which layer -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Layers in the order of their positions; the last one of the program and of each kernel is what the next is made from. The
// layers of a host function count as the program's. Kernels of phase lowered start from kernel.mlir, which debug lines name.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/LayerGraph.h"

#include "mica/Artifact/Edits.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mica;
using namespace mica::compiler;

namespace {
struct LayerFile {
  artifact::LayerName name;
  artifact::FileRecord *record;
};
} // namespace

void compiler::linkLayers(artifact::Manifest &manifest, const std::vector<std::string> &phases) {
  std::set<std::string> kernels;
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    kernels.insert(kernel.name);
  std::vector<LayerFile> layers;
  std::map<std::string, artifact::FileRecord *> records;
  for (artifact::FileRecord &record : manifest.files) {
    records[record.path] = &record;
    if (artifact::LayerName name = artifact::parseLayerName(record.path); name.position >= 0)
      layers.push_back({std::move(name), &record});
  }
  std::stable_sort(layers.begin(), layers.end(), [](const LayerFile &a, const LayerFile &b) {
    return std::tie(a.name.position, a.record->path) < std::tie(b.name.position, b.record->path);
  });

  std::string program = "input.mlirbc", loweredProgram;
  std::map<std::string, std::string> ofKernel, ofLoweredKernel; // the last layer
  for (LayerFile &layer : layers) {
    const size_t pass = static_cast<size_t>(layer.name.position);
    const bool isLowered = pass > 0 && pass <= phases.size() && phases[pass - 1] == "lowered";
    const std::string first = layer.name.anchor.substr(0, layer.name.anchor.find('.'));
    const std::string &path = layer.record->path;
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
    layer.record->inputs = std::move(inputs);
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
