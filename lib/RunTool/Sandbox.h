//===- Sandbox.h - a run that can do nothing but compute --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// mica-run --sandbox: the code of an artifact runs in a process of its own, which the kernel keeps from the network,
// from other processes, and from files that are not the run's. Landlock holds the files, seccomp the system calls.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_SANDBOX_H
#define MICA_LIB_RUNTOOL_SANDBOX_H

#include "lib/RunTool/Options.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace mica::runtool {

/// Files and folders, with all that is in them, that a confined process may use. Those that do not exist are left out.
struct SandboxPaths {
  std::vector<std::filesystem::path> read, write;
};

/// What a run with `options` of the artifact in `folder` needs: the artifact, inputs and the system's libraries to
/// read; the folder of runs, and the folders of outputs and logs, to write. Makes the folder of runs.
Result<SandboxPaths> sandboxPaths(const Options &options, const std::filesystem::path &folder);

/// What any program needs: libraries and what the runtime asks the machine, to read; devices of back ends, to write.
SandboxPaths systemPaths();

/// Confines this process to `paths` and to `limits.memoryBytes` for the rest of its life. Unsupported where this kernel
/// cannot. No other thread may be running.
Status confineProcess(const SandboxPaths &paths, const SandboxLimits &limits);

/// Calls `run` in a child that is confined to `paths` and `limits`, and waits for it. The exit code of the child, or an
/// error that says how it ended: Unsupported where this kernel cannot confine (nothing has run then), Hang where it
/// took longer than its limit, Difference where a signal ended it. No other thread may be running.
Result<int> runConfined(const SandboxPaths &paths, const SandboxLimits &limits, const std::function<int()> &run);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_SANDBOX_H
