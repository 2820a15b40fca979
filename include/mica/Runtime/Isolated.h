//===- Isolated.h - calls in an isolated process ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// The code of an artifact runs in a worker process, started from mica-run: it shares only two memory files with the
// caller, for inputs and results, confines itself (docs/Security.md), loads the artifact, makes one call, and ends.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_ISOLATED_H
#define MICA_RUNTIME_ISOLATED_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/FaultInfo.h"
#include "mica/Runtime/Tensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

/// One call of an artifact's entry.
struct IsolatedCall {
  std::filesystem::path folder; ///< of the artifact
  std::string entry;
  int threads = 0;         ///< as ContextOptions
  int64_t memoryBytes = 0; ///< of the worker's address space; 0: no limit
  double seconds = 0;      ///< of wall time, from its start; 0: no limit
  std::string switches;    ///< as MICA_DEBUG
};

/// Runs `call` with the program `worker` (mica-run) and returns the results; types and static sizes are those of
/// `manifest`, the artifact's; the worker's output is validated. Errors as Context::invoke(), with `fault` (may be
/// null), and: Unsupported if this kernel cannot confine processes (then nothing has run), Hang beyond the time limit,
/// Difference if a signal ended the worker or it ended without an answer. Thread-safe. Leaves no process and no open
/// file.
Result<std::vector<Tensor>> runIsolated(const std::filesystem::path &worker, const IsolatedCall &call,
                                        const artifact::Manifest &manifest, std::span<const TensorView> inputs,
                                        FaultInfo *fault = nullptr);

/// The worker's side: receives the call, confines this process by `confine`, makes the call, and sends the answer.
/// Returns the exit code. No other threads may be running.
int serveIsolatedCall(const std::function<Status(const IsolatedCall &)> &confine);

/// The one argument that makes mica-run a worker.
inline constexpr std::string_view kIsolatedWorkerFlag = "--serve-isolated-call";

} // namespace mica::runtime

#endif // MICA_RUNTIME_ISOLATED_H
