//===- RankTimes.h - estimated times of graphs, by rank -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: which rank is expected to be the slowest in each graph, and a trace of all of them.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_RANKTIMES_H
#define MICA_LIB_REPORT_LOG_RANKTIMES_H

#include "lib/Report/Log/LogModel.h"
#include "lib/Support/Json.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <vector>

namespace mica::report {

/// Rows of what the page shows: [compile, ranks, median ns, fastest rank, its ns, slowest rank, its ns, the op in which
/// it loses the most, the ns it loses there].
Json rankTimes(const std::vector<LogModel> &ranks);

/// Writes estimated times as a trace for Perfetto: a process per rank, a thread per graph, ops end to end. Writes no
/// file if no log holds times.
Status writeRankTrace(const std::vector<LogModel> &ranks, const std::filesystem::path &file);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_RANKTIMES_H
