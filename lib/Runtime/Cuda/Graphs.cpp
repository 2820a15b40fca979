//===- Cuda/Graphs.cpp - launches that come again as one --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Graphs.h"

namespace mica::runtime::cuda {

/// Programs whose series never come again would fill the memory with keys.
static constexpr size_t kMostSeries = 256;

void Graphs::clear() {
  for (auto &[hash, series] : known)
    if (series.exec)
      driver.graphExecDestroy(series.exec);
  known.clear();
}

Graphs::Series &Graphs::note(const Key &key) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t word : key)
    hash = (hash ^ word) * 0x100000001b3u;
  if (known.size() >= kMostSeries && known.count(hash) == 0)
    clear();
  Series &series = known[hash];
  if (series.key != key) {
    if (series.exec)
      driver.graphExecDestroy(series.exec);
    series = {key, 0, nullptr, false};
  }
  ++series.seen;
  return series;
}

Status Graphs::begin(Stream stream) const {
  constexpr int kThreadLocal = 1; // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: other threads may do as they like
  return driver.check(driver.beginCapture(stream, kThreadLocal), "cannot capture launches");
}

void Graphs::end(Stream stream, Series &series) const {
  Graph graph = nullptr;
  series.isRefused = driver.endCapture(stream, &graph) != kSuccess || !graph ||
                     driver.graphInstantiate(&series.exec, graph, 0) != kSuccess;
  if (series.isRefused)
    series.exec = nullptr;
  if (graph)
    driver.graphDestroy(graph);
}

} // namespace mica::runtime::cuda
