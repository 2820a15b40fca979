//===- RankTrace.h - when a rank did what ----------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switch rank-trace: a file for each rank, from which mica-report joins the exchanges of all ranks (docs/Ranks.md).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_RANKTRACE_H
#define MICA_LIB_RUNTIME_RANKS_RANKTRACE_H

#include "lib/Runtime/Ranks/RankFingerprints.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Communicator.h"
#include "mica/Runtime/Program.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

namespace mica::runtime {

class RankTrace {
public:
  RankTrace(const Program &program, const Communicator &ranks, std::filesystem::path folder);

  /// A launch of kernel `kernel` (position in the manifest) is complete. On any thread.
  void addLaunch(size_t kernel, const Launch &launch);
  /// An exchange is: what the launch, which follows, does not say. `bytes`: of what this rank sends or receives.
  struct Exchange {
    uint64_t turn = 0;
    std::span<const int32_t> members; ///< empty: none but `partner`
    int32_t partner = -1;
    int64_t bytes = 0;
    int64_t startNs = 0, endNs = 0;
    bool isDone = true;
  };
  void addExchange(size_t kernel, int64_t site, const Exchange &exchange);
  /// Calls of an entry are told apart.
  void beginCall();

  /// The axes of the grid along which ranks differ in what each place of the program computes, where it is known.
  void setAxes(const std::vector<RankFingerprint> &fingerprints);

  /// Writes all that was added so far to DIR/rank-N.json.
  Status write();

private:
  struct Launched {
    int32_t kernel, site, call, thread;
    int64_t startNs, endNs;
  };
  struct Exchanged {
    int32_t kernel, site, call, group, partner;
    uint64_t turn;
    int64_t bytes, startNs, endNs;
    bool isDone;
  };

  const Program &program;
  const int32_t rank, size;
  const std::string library;
  const bool isRemote;
  const std::filesystem::path folder;
  std::mutex mutex;
  int32_t call = -1;
  int64_t lost = 0; ///< events beyond the limit
  std::vector<Launched> launches;
  std::vector<Exchanged> exchanges;
  std::map<std::vector<int32_t>, int32_t> groups;
  std::map<std::pair<int32_t, int32_t>, RankAxes> axes; ///< by kernel and site
  std::map<int32_t, int32_t> threads;                   ///< by their id in the system
};

/// Tells `trace` of all launches.
std::unique_ptr<Backend> rankTraceBackend(std::unique_ptr<Backend> inner, const Program &program, RankTrace &trace);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_RANKTRACE_H
