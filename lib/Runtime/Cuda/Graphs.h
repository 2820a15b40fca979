//===- Cuda/Graphs.h - launches that come again as one ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What wrappers launch follows from kernels, addresses and scalars alone. So a series of launches that had the same of
// them twice is captured as a graph the third time, and from then on is one call of the driver.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CUDA_GRAPHS_H
#define MICA_LIB_RUNTIME_CUDA_GRAPHS_H

#include "lib/Runtime/Cuda/Driver.h"

#include <unordered_map>
#include <vector>

namespace mica::runtime::cuda {

/// For one thread at a time, with the device's context current.
class Graphs {
public:
  explicit Graphs(const Driver &driver) : driver(driver) {}
  Graphs(const Graphs &) = delete;
  Graphs &operator=(const Graphs &) = delete;
  ~Graphs() { clear(); }

  /// A series of launches: kernels, addresses and scalars, as words.
  using Key = std::vector<uint64_t>;
  struct Series {
    Key key;
    int seen = 0; ///< how often it came
    GraphExec exec = nullptr;
    bool isRefused = false; ///< it could not be captured; not tried again
  };
  /// What is known of `key`, which came once more. Valid until the next call.
  Series &note(const Key &key);
  bool shouldCapture(const Series &series) const {
    return series.seen > 2 && !series.exec && !series.isRefused && driver.hasGraphs();
  }
  /// Whatever is launched into `stream` from here on is not run, but kept.
  Status begin(Stream stream) const;
  /// Up to here; `series` is a graph then, or refused.
  void end(Stream stream, Series &series) const;
  Code launch(const Series &series, Stream stream) const { return driver.graphLaunch(series.exec, stream); }

  void clear();

private:
  const Driver &driver;
  std::unordered_map<uint64_t, Series> known; ///< by hash of the key; of two with the same the later stays
};

} // namespace mica::runtime::cuda

#endif // MICA_LIB_RUNTIME_CUDA_GRAPHS_H
