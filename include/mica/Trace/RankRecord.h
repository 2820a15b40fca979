//===- RankRecord.h - what one rank did ---------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Files DIR/rank-N.json of the switch rank-trace (docs/Ranks.md).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_RANKRECORD_H
#define MICA_TRACE_RANKRECORD_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mica::trace {

struct RankLaunch {
  int64_t kernel = 0, site = -1, call = 0, thread = 0;
  int64_t startNs = 0, endNs = 0;
  bool isExchange = false;
};

struct RankExchange {
  int64_t kernel = 0, site = -1, call = 0, group = -1, partner = -1, turn = 0, bytes = 0;
  int64_t startNs = 0, endNs = 0;
  bool isDone = true;
};

struct RankKernel {
  std::string name, exchange; ///< exchange: "all_reduce"; "" it computes
  std::string hash;
};

/// One rank.
struct RankRecord {
  int64_t rank = 0, size = 0, process = 0, lost = 0;
  std::string host, library, program;
  std::vector<RankKernel> kernels;
  std::vector<std::string> sites; ///< "linalg.matmul [3f2a91c07b1e] at mlp.mlir:9:8"
  std::vector<std::vector<int64_t>> groups;
  std::vector<RankLaunch> launches;
  std::vector<RankExchange> exchanges;
  /// Kernel and site -> axes of the grid along which ranks may differ in what it gives, a bit each; empty unless
  /// fingerprints were taken.
  std::map<std::pair<int64_t, int64_t>, int64_t> axes;
};

/// The rank of "rank-12.json"; -1: it has another name.
int64_t rankOfFile(const std::filesystem::path &file);
/// Errors: Io, Damaged with file and key.
Result<RankRecord> readRankRecord(const std::filesystem::path &file);

} // namespace mica::trace

#endif // MICA_TRACE_RANKRECORD_H
