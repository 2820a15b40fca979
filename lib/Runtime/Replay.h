//===- Replay.h - runs a kernel's replays, to find the operation and the element at fault ----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_REPLAY_H
#define MICA_LIB_RUNTIME_REPLAY_H

#include "mica/Runtime/Backend.h"

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/FaultInfo.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

class Program;

/// The operation in which a NaN or an infinity originates.
struct NanOrigin {
  std::string text; ///< "mica.log [6689ba680e52] at m.mlir:3:8 gives nan, math.log(-2), at element [0, 4] of %1"
  FaultInfo fault;
};

/// Where a check of a kernel failed.
struct FailedElement {
  artifact::CheckRecord site; ///< of the replay: the operation
  std::string text;           ///< ", arith.divsi(7, 0), at element [4] of %q"
  FaultInfo fault;
};

/// Whether the memory of `kernel` no longer holds what a launch read, unless somebody kept it.
bool overwritesOperands(const artifact::KernelRecord &kernel);

/// Of a report of a probe: `message` is the operation inside of `where` and the number of its operands, "math.log 1";
/// `values` the bits of the result, those of the operands, and the element of `tensor`, whose sizes in the source are
/// `shape` (see UnitDims.h; empty: as in the kernel).
NanOrigin describeNanOrigin(const std::string &where, FaultInfo place, std::string_view message,
                            std::span<const int64_t> values, const std::string &tensor = "",
                            const std::vector<int64_t> &shape = {});

/// Runs the replay of `launch`, whose buffers still hold what it read, for the element at `indices` of the `output`-th
/// result of the kernel (counted among the bindings that it writes). `nan`: it is NaN, else an infinity. Nothing where
/// the kernel has no replay, has overwritten its inputs, or does not compute such a value again.
std::optional<NanOrigin> findNanOrigin(const Program &program, const Launch &launch, size_t output,
                                       const std::vector<int64_t> &indices, bool nan);

/// Whether the fault replay of `kernel` can find a NaN that it discards.
bool findsDiscardedNans(const artifact::KernelRecord &kernel);
/// Runs the fault replay of `launch`, whose results hold no NaN, and gives the first that originated all the same.
std::optional<NanOrigin> findDiscardedNan(const Program &program, const Launch &launch);

/// Runs the fault replay of `launch`, a check of which failed at `site`, and gives the first element at which the same
/// operation fails; else the first at which any does. Nothing where the kernel has no such replay, has overwritten its
/// inputs, or does not fail again.
std::optional<FailedElement> findFailedElement(const Program &program, const Launch &launch,
                                               const artifact::CheckRecord &site);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_REPLAY_H
