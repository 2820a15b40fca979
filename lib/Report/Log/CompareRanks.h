//===- CompareRanks.h - where ranks part ways ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what should be the same on every rank and is not.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_COMPARERANKS_H
#define MICA_LIB_REPORT_LOG_COMPARERANKS_H

#include "lib/Report/Log/LogModel.h"

#include <string>
#include <vector>

namespace mica::report {

/// Ranks that agree among themselves.
struct RankGroup {
  std::vector<int64_t> ranks;
  std::string says; ///< what is the case on them, short
};

struct Desync {
  std::string what;              ///< "compile ids", "caches", "collectives", "schedules", "tensors", "status",
                                 ///< "execution order"
  std::string first;             ///< the first compile they differ in, or ""
  std::vector<RankGroup> groups; ///< at least two
};

/// The graphs that some ranks ran, in order.
struct ExecutionOrder {
  std::vector<int64_t> ranks;
  std::vector<std::string> steps;
};

/// The different orders in which graphs ran, that of most ranks first; none for logs that do not say.
std::vector<ExecutionOrder> executionOrders(const std::vector<LogModel> &ranks);

/// Compiles are paired by their ids.
std::vector<Desync> compareRanks(const std::vector<LogModel> &ranks);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_COMPARERANKS_H
