//===- Isolated.h - a call in a process of its own --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// The code of an artifact runs in a worker, which is mica-run started anew: it shares no memory with the caller but
// the two files in memory through which inputs and results go, confines itself (docs/Security.md), loads the artifact,
// makes one call, and ends.
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

/// Runs `call` with the program `worker` (mica-run) and gives the results: types and static sizes are those of
/// `manifest`, which is the artifact's; what the worker sends is checked, not trusted. Errors as Context::invoke(),
/// with `fault` (may be null), and: Unsupported where this kernel cannot confine (nothing has run then), Hang beyond
/// the limit of time, Difference where a signal ended the worker or it ended without an answer. May be called from any
/// thread. Leaves no process and no open file.
Result<std::vector<Tensor>> runIsolated(const std::filesystem::path &worker, const IsolatedCall &call,
                                        const artifact::Manifest &manifest, std::span<const TensorView> inputs,
                                        FaultInfo *fault = nullptr);

/// The worker's side: takes the call, confines this process by `confine`, makes the call, and answers. The exit code.
/// Other threads must not be running.
int serveIsolatedCall(const std::function<Status(const IsolatedCall &)> &confine);

/// The one argument that makes mica-run a worker.
inline constexpr std::string_view kIsolatedWorkerFlag = "--serve-isolated-call";

} // namespace mica::runtime

#endif // MICA_RUNTIME_ISOLATED_H
