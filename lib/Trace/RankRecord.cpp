//===- RankRecord.cpp - what one rank did ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankRecord.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/RankRecord.h"

#include "lib/Support/Json.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <charconv>

namespace mica::trace {

static constexpr std::string_view kFormat = "mica-rank";

int64_t rankOfFile(const std::filesystem::path &file) {
  const std::string name = file.filename().string();
  if (!name.starts_with("rank-") || !name.ends_with(".json"))
    return -1;
  int64_t rank = -1;
  const char *begin = name.data() + 5, *end = name.data() + name.size() - 5;
  const auto [stop, error] = std::from_chars(begin, end, rank);
  return error == std::errc() && stop == end ? rank : -1;
}

Result<RankRecord> readRankRecord(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument json, parseJson(text, file.string()));
  JsonReport report{file.string(), "run again with rank-trace", {}};
  const JsonCursor root(json.root(), report);
  RankRecord rank;
  if (const JsonCursor format = root.field("format"); format.string() != kFormat && !format.failed())
    format.fail("should be " + std::string(kFormat));
  rank.size = root.field("size").integer(1);
  rank.rank = root.field("rank").integer(0, std::max<int64_t>(0, rank.size - 1));
  rank.process = root.field("process").integer(0);
  rank.lost = root.field("lost").integer(0);
  rank.host = root.field("host").string();
  rank.library = root.field("library").string();
  rank.program = root.field("program").string();
  root.field("kernels").forEach([&](const JsonCursor &item, size_t) {
    rank.kernels.push_back({item.field("name").string(), item.field("exchange").string(), item.field("hash").string()});
  });
  rank.sites = root.field("sites").strings();
  root.field("groups").forEach(
      [&](const JsonCursor &item, size_t) { rank.groups.push_back(item.integers(0, rank.size - 1)); });
  const auto kernels = static_cast<int64_t>(rank.kernels.size());
  auto check = [&](const JsonCursor &item, const std::vector<int64_t> &numbers, size_t count) {
    if (!item.failed() && numbers.size() != count)
      item.fail("should have " + std::to_string(count) + " numbers");
    else if (!item.failed() &&
             (numbers[0] < 0 || numbers[0] >= kernels || numbers[1] >= static_cast<int64_t>(rank.sites.size())))
      item.fail("is of a kernel or a place that the file does not name");
    return !item.failed();
  };
  root.field("launches").forEach([&](const JsonCursor &item, size_t) {
    if (const std::vector<int64_t> n = item.integers(); check(item, n, 6))
      rank.launches.push_back(
          {n[0], n[1], n[2], n[3], n[4], n[5], !rank.kernels[static_cast<size_t>(n[0])].exchange.empty()});
  });
  root.field("exchanges").forEach([&](const JsonCursor &item, size_t) {
    const std::vector<int64_t> n = item.integers();
    if (!check(item, n, 10))
      return;
    if (n[3] >= static_cast<int64_t>(rank.groups.size()) || n[4] >= rank.size)
      return item.fail("is with ranks that the file does not name");
    rank.exchanges.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9] != 0});
  });
  if (root.has("axes"))
    root.field("axes").forEach([&](const JsonCursor &item, size_t) {
      if (const std::vector<int64_t> n = item.integers(); check(item, n, 3))
        rank.axes[{n[0], n[1]}] = n[2];
    });
  if (report.failure)
    return *report.failure;
  return rank;
}

} // namespace mica::trace
