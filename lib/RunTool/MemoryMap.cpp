//===- MemoryMap.cpp - the arena of an artifact by address and task -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/MemoryMap.h"

#include "mica/Artifact/MemoryMap.h"
#include "mica/Artifact/TaskNames.h"
#include "mica/Support/Files.h"
#include "mica/Support/Html.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace mica::runtool {
namespace {

using artifact::ArenaTensor;
using artifact::MemoryMap;
using artifact::TaskList;

constexpr size_t kListed = 8;

std::string typeOf(const TaskList &list, const ArenaTensor &tensor) {
  const artifact::TensorSpec &type = list.buffers[static_cast<size_t>(tensor.buffers.front())].type;
  return shapedTypeString(type.shape, type.dtype);
}

/// "2x3xf32, bytes 0 to 24, from task 1 (...) to task 3".
std::string tensorText(const artifact::Manifest &manifest, const TaskList &list, const ArenaTensor &tensor) {
  return typeOf(list, tensor) + ", bytes " + std::to_string(tensor.offset) + " to " + std::to_string(tensor.end()) +
         ", from " + taskText(manifest, list, static_cast<size_t>(tensor.first)) + " to task " +
         std::to_string(tensor.last);
}

void printMap(const artifact::Manifest &manifest, const TaskList &list, const MemoryMap &map) {
  std::printf("list '%s': %zu tasks, arena of %s for %zu tensors (%s without sharing)\n", list.name.c_str(),
              list.tasks.size(), byteSize(list.arenaBytes).c_str(), map.tensors.size(),
              byteSize(map.withoutSharing).c_str());
  if (map.peakTask < 0)
    return;
  std::printf("  peak: %s in use at %s; %s of the arena are gaps then\n", byteSize(map.peak).c_str(),
              taskText(manifest, list, static_cast<size_t>(map.peakTask)).c_str(),
              byteSize(std::max<int64_t>(list.arenaBytes - map.peak, 0)).c_str());
  std::vector<const ArenaTensor *> live;
  for (const ArenaTensor &tensor : map.tensors)
    if (tensor.isLiveAt(map.peakTask))
      live.push_back(&tensor);
  std::stable_sort(live.begin(), live.end(),
                   [](const ArenaTensor *a, const ArenaTensor *b) { return a->bytes > b->bytes; });
  for (size_t i = 0; i < std::min(live.size(), kListed); ++i)
    std::printf("    %s: %s\n", byteSize(live[i]->bytes).c_str(), tensorText(manifest, list, *live[i]).c_str());
  if (live.size() > kListed)
    std::printf("    and %zu more\n", live.size() - kListed);
  if (map.savings.empty())
    std::printf("  no single tensor would lower it: there is as much in use at another task\n");
  for (size_t i = 0; i < std::min(map.savings.size(), kListed); ++i) {
    const MemoryMap::Saving &saving = map.savings[i];
    std::printf("  without the %s of task %lld: %s, %s less\n", typeOf(list, map.tensors[saving.tensor]).c_str(),
                static_cast<long long>(map.tensors[saving.tensor].first), byteSize(saving.peak).c_str(),
                byteSize(map.peak - saving.peak).c_str());
  }
  for (const auto &[first, second] : map.overlaps)
    std::printf("  overlap: %s is written over before it was read for the last time, by %s\n",
                tensorText(manifest, list, map.tensors[first]).c_str(),
                tensorText(manifest, list, map.tensors[second]).c_str());
}

/// Tasks to the right, addresses upwards; a column of the peak is marked.
std::string svgOf(const artifact::Manifest &manifest, const std::vector<TaskList> &lists,
                  const std::vector<MemoryMap> &maps) {
  constexpr double kWidth = 960, kHeight = 320, kGap = 40, kLeft = 80;
  std::string body;
  char text[256];
  double top = kGap;
  for (size_t l = 0; l < lists.size(); ++l) {
    const TaskList &list = lists[l];
    const MemoryMap &map = maps[l];
    if (map.tensors.empty() || list.arenaBytes <= 0)
      continue;
    const double perTask = kWidth / static_cast<double>(list.tasks.size()),
                 perByte = kHeight / static_cast<double>(list.arenaBytes);
    body += "<text x=\"" + std::to_string(int(kLeft)) + "\" y=\"" + std::to_string(int(top - 10)) + "\">" +
            escapeHtml(list.name + ": " + byteSize(list.arenaBytes) + ", peak " + byteSize(map.peak)) + "</text>\n";
    std::snprintf(text, sizeof text, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#ddd\"/>\n",
                  kLeft + perTask * static_cast<double>(map.peakTask), top, perTask, kHeight);
    body += text;
    for (size_t i = 0; i < map.tensors.size(); ++i) {
      const ArenaTensor &tensor = map.tensors[i];
      std::snprintf(text, sizeof text,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"hsl(%zu,60%%,65%%)\" "
                    "fill-opacity=\"0.8\" stroke=\"#333\" stroke-width=\"0.5\"><title>",
                    kLeft + perTask * static_cast<double>(tensor.first),
                    top + kHeight - perByte * static_cast<double>(tensor.end()),
                    perTask * static_cast<double>(tensor.last - tensor.first + 1),
                    std::max(perByte * static_cast<double>(tensor.bytes), 0.5), i * 47 % 360);
      body +=
          text + escapeHtml(byteSize(tensor.bytes) + ": " + tensorText(manifest, list, tensor)) + "</title></rect>\n";
    }
    std::snprintf(text, sizeof text,
                  "<rect x=\"%.0f\" y=\"%.2f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke=\"#333\"/>\n", kLeft,
                  top, kWidth, kHeight);
    body += text;
    top += kHeight + 2 * kGap;
  }
  std::snprintf(text, sizeof text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
                "font-size=\"13\">\n",
                kLeft + kWidth + kGap, top);
  return text + body + "</svg>\n";
}

} // namespace

Result<bool> showMemoryMap(const artifact::Artifact &artifact, const std::string &file) {
  if (!file.empty() && std::filesystem::path(file).extension() != ".svg")
    return Error{ErrorCode::InvalidInput, "--memory-map=" + file + ": unknown form",
                 "the name ends in .svg; the JSON of it is report/memory.json in the artifact"};
  std::vector<MemoryMap> maps;
  bool isWhole = true;
  for (const TaskList &list : artifact.taskLists()) {
    maps.push_back(artifact::memoryMapOf(list, artifact.manifest()));
    printMap(artifact.manifest(), list, maps.back());
    isWhole = isWhole && maps.back().overlaps.empty();
  }
  if (!file.empty())
    MICA_RETURN_IF_ERROR(writeFileAtomic(file, svgOf(artifact.manifest(), artifact.taskLists(), maps)));
  return isWhole;
}

} // namespace mica::runtool
