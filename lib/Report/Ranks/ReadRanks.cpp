//===- ReadRanks.cpp - files of rank traces ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankModel.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Ranks/JoinRanks.h"

#include <algorithm>

namespace mica::report::ranks {

bool isRankTrace(const std::filesystem::path &path) {
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(path, error))
    if (trace::rankOfFile(entry.path()) >= 0)
      return true;
  return false;
}

Result<RankModel> readRankTrace(const std::filesystem::path &folder) {
  RankModel model;
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    if (trace::rankOfFile(entry.path()) >= 0)
      files.push_back(entry.path());
  if (files.empty())
    return Error{ErrorCode::NotFound, folder.string() + " has no files rank-N.json", "run with rank-trace=DIR"};
  for (const std::filesystem::path &file : files) {
    MICA_ASSIGN_OR_RETURN(RankRecord rank, trace::readRankRecord(file));
    if (rank.rank != trace::rankOfFile(file))
      return Error{ErrorCode::Damaged, file.string() + ": is of rank " + std::to_string(rank.rank), ""};
    model.ranks.push_back(std::move(rank));
  }
  std::sort(model.ranks.begin(), model.ranks.end(), [](const auto &a, const auto &b) { return a.rank < b.rank; });
  size_t next = 0;
  for (int64_t rank = 0; rank < model.ranks.front().size; ++rank) {
    if (next < model.ranks.size() && model.ranks[next].rank == rank)
      ++next;
    else
      model.absent.push_back(rank);
  }
  joinRanks(model);
  return model;
}

} // namespace mica::report::ranks
