//===- Replay.h - computes one element again, to find where a NaN originates -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_REPLAY_H
#define MICA_LIB_RUNTIME_REPLAY_H

#include "mica/Runtime/Backend.h"

#include <optional>
#include <string>
#include <vector>

namespace mica::runtime {

class Program;

/// The operation in which a NaN or an infinity originates.
struct NanOrigin {
  std::string text; ///< "mica.log [6689ba680e52] at m.mlir:3:8 gives nan, math.log(-2), at element [0, 4] of %1"
  FaultInfo fault;
};

/// Runs the replay of `launch`, whose buffers still hold what it read, for the element at `indices` of the `output`-th
/// result of the kernel (counted among the bindings that it writes). `nan`: it is NaN, else an infinity. Nothing where
/// the kernel has no replay, has overwritten its inputs, or does not compute such a value again.
std::optional<NanOrigin> findNanOrigin(const Program &program, const Launch &launch, size_t output,
                                       const std::vector<int64_t> &indices, bool nan);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_REPLAY_H
