//===- RankModel.h - what several ranks did -------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The files of the switch rank-trace, read and joined: each exchange with the times of all ranks that took part.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_RANKS_RANKMODEL_H
#define MICA_LIB_REPORT_RANKS_RANKMODEL_H

#include "mica/Support/Status.h"
#include "mica/Trace/RankRecord.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::report::ranks {

using trace::RankExchange;
using trace::RankKernel;
using trace::RankLaunch;
using trace::RankRecord;

/// An exchange as all that took part in it saw it.
struct JoinedExchange {
  std::string kind, kernel, op;
  std::vector<size_t> ranks;                 ///< positions in RankModel::ranks
  std::vector<const RankExchange *> records; ///< of each
  size_t missing = 0;                        ///< members without a record
  bool differs = false;                      ///< members made another exchange in its place
  size_t first = 0, last = 0;                ///< positions in `ranks` of who came first and last
  int64_t arrivedNs = 0;                     ///< when the last came
  int64_t endNs = 0;                         ///< when the last left
  int64_t skewNs = 0;                        ///< from the first to the last arrival
  int64_t waitedNs = 0;                      ///< by all that came earlier, for the last one
  int64_t bytes = 0;                         ///< of one rank
};

/// All exchanges of one place in the program.
struct ExchangeTotal {
  std::string kind, kernel, op;
  int64_t count = 0, bytes = 0;
  int64_t transferNs = 0; ///< from the last arrival to the last departure
  int64_t skewNs = 0, mostSkewNs = 0, waitedNs = 0;
  std::vector<int64_t> waitedFor; ///< by rank: the time that others waited for it
};

/// Of one rank.
struct RankTotal {
  int64_t kernelNs = 0, exchangeNs = 0, waitedNs = 0, causedNs = 0;
  int64_t overlapNs = 0; ///< in which a kernel ran while the rank was in an exchange
};

/// Ranks that behave alike.
struct RankGroup {
  std::vector<size_t> ranks; ///< positions; the first stands for them
  bool isStraggler = false;  ///< others wait for it a tenth of all waiting at least
};

struct RankModel {
  std::vector<RankRecord> ranks;         ///< by number
  std::vector<int64_t> absent;           ///< numbers without a file
  std::vector<JoinedExchange> exchanges; ///< by time
  std::vector<ExchangeTotal> totals;     ///< the most time first
  std::vector<RankTotal> perRank;
  std::vector<RankGroup> groups;
  int64_t beginNs = 0, endNs = 0;
  std::string divergence; ///< the first exchange in which ranks differ; "" none
};

/// Whether `path` is a folder of files rank-N.json.
bool isRankTrace(const std::filesystem::path &path);
/// Errors: Io, Damaged with file and key.
Result<RankModel> readRankTrace(const std::filesystem::path &folder);
/// A few lines for the terminal.
std::string describeRanks(const RankModel &model);
/// For ui.perfetto.dev: a process for each rank.
std::string printPerfetto(const RankModel &model);

/// "0-3, 5".
std::string rangesText(const std::vector<int64_t> &numbers);

} // namespace mica::report::ranks

#endif // MICA_LIB_REPORT_RANKS_RANKMODEL_H
