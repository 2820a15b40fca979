//===- Sandbox.h - confining a run ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Implements mica-run --sandbox: the code of an artifact runs in a child process without access to the network, other
// processes, and files that do not belong to the run. Landlock restricts files, seccomp system calls.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_SANDBOX_H
#define MICA_LIB_RUNTOOL_SANDBOX_H

#include "lib/RunTool/Options.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace mica::runtool {

/// Files and folders, with their contents, that a confined process may use. Nonexistent ones are skipped.
struct SandboxPaths {
  std::vector<std::filesystem::path> read, write;
  std::filesystem::path temporary = {}; ///< a folder of `write` for temporary files
};

/// The paths for a run with `options` of the artifact in `folder`: read access to the artifact, inputs and the system's
/// libraries; write access to the folders of runs, outputs and logs. Creates the folder of runs.
Result<SandboxPaths> sandboxPaths(const Options &options, const std::filesystem::path &folder);

/// The paths that any program needs: read access to libraries and machine properties, write access to devices of back
/// ends.
SandboxPaths systemPaths();

/// Confines this process permanently to `paths` and to `limits.memoryBytes`. Unsupported if this kernel cannot. No
/// other thread may be running.
Status confineProcess(const SandboxPaths &paths, const SandboxLimits &limits);

/// Calls `run` in a child process confined to `paths` and `limits`, and waits for it. Returns its exit code, or an
/// error: Unsupported if this kernel cannot confine processes (then nothing has run), Hang if it exceeded its time
/// limit, Difference if a signal ended it. No other thread may be running.
Result<int> runConfined(const SandboxPaths &paths, const SandboxLimits &limits, const std::function<int()> &run);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_SANDBOX_H
