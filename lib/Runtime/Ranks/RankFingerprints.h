//===- RankFingerprints.h - tensors that several ranks have ---------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switch rank-fingerprints: which tensors have to be the same on which ranks follows from what they are computed
// of. Each is known by the axes of the grid along which it may differ: those that split an argument or a constant,
// those that an exchange adds (a slice) or takes away (a sum among all). The bits of the others are compared.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_RANKFINGERPRINTS_H
#define MICA_LIB_RUNTIME_RANKS_RANKFINGERPRINTS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Communicator.h"
#include "mica/Runtime/Program.h"

#include <map>
#include <mutex>
#include <vector>

namespace mica::runtime {

/// Axes of the grid, a bit each.
using RankAxes = uint32_t;
inline constexpr RankAxes kAllRankAxes = ~RankAxes(0);

/// A tensor of one rank, in the order in which they were complete.
struct RankFingerprint {
  int32_t site = -1;   ///< position in the manifest's sites; -1: an argument of the entry
  int32_t kernel = -1; ///< position in the manifest
  int32_t turn = 0;    ///< which launch of the site
  int32_t binding = 0; ///< of the kernel, or the position of the argument
  RankAxes axes = 0;   ///< along which ranks may differ
  int32_t padding = 0;
  uint64_t hash = 0;
};

class RankFingerprints {
public:
  RankFingerprints(const Program &program, int32_t rank) : program(program), rank(rank) {}

  /// A call begins.
  void begin();
  void addInput(int32_t argument, const artifact::TensorSpec &spec, const void *data, int64_t bytes);
  /// Before and after a launch of kernel `kernel` (position in the manifest). On any thread.
  RankAxes axesOfInputs(size_t kernel, const Launch &launch);
  void add(size_t kernel, const Launch &launch, RankAxes inputs);

  const std::vector<RankFingerprint> &all() const { return found; }

private:
  void know(const void *data, int64_t bytes, RankAxes axes);
  RankAxes axesOf(const void *data, int64_t bytes) const;

  const Program &program;
  const int32_t rank;
  std::mutex mutex;
  struct Range {
    uintptr_t end = 0;
    RankAxes axes = 0;
  };
  std::map<uintptr_t, Range> ranges; ///< by begin; they do not overlap
  std::map<std::pair<int64_t, size_t>, int32_t> turns;
  bool asksForRank = false; ///< the program has asked which rank it is: what it decides by that is not known
  std::vector<RankFingerprint> found;
};

/// Of all ranks of `grid`. Difference: two of them that should have the same tensor have not; names the first.
/// Otherwise the number of tensors that several ranks have.
Result<int64_t> compareFingerprints(const Program &program, size_t entry, const std::vector<int64_t> &grid,
                                    const std::vector<std::vector<RankFingerprint>> &ranks);

/// Hands all launches to `fingerprints`.
std::unique_ptr<Backend> fingerprintsBackend(std::unique_ptr<Backend> inner, const Program &program,
                                             RankFingerprints &fingerprints);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_RANKFINGERPRINTS_H
