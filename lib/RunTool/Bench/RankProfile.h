//===- RankProfile.h - what a program for several ranks does here ---------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankScale.h: the measurements that its model begins with.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_RANKPROFILE_H
#define MICA_LIB_RUNTOOL_BENCH_RANKPROFILE_H

#include "lib/RunTool/Bench/Measure.h"
#include "lib/RunTool/Bench/RankScale.h"

namespace mica::bench {

struct RankProfile {
  Profile profile;
  std::vector<MeasuredExchange> exchanges;
};

/// Runs the program for `seconds` with all ranks as threads of this process, each with one compute thread. A kernel's
/// time is the shortest of all ranks and calls: what it takes where nothing disturbs it.
Result<RankProfile> profileRanks(const Subject &subject, double seconds);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_RANKPROFILE_H
