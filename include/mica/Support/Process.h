//===- Process.h - child processes -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Starts a program and waits for it. No shell is involved: arguments reach it as they are, spaces and quotes included.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_PROCESS_H
#define MICA_SUPPORT_PROCESS_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace mica {

/// How a child is started. Empty paths: the child has ours.
struct ProcessOptions {
  std::filesystem::path standardInput;  ///< a file it reads instead of our standard input
  int standardInputDescriptor = -1;     ///< an open file it reads instead, from its current position; -1: none
  std::filesystem::path standardOutput; ///< a file its standard output is written to
  std::filesystem::path standardError;  ///< a file its standard error is written to
  int64_t memoryLimit = 0;              ///< bytes of address space it may have (RLIMIT_AS); 0: as we have
  double secondsLimit = 0;              ///< it is killed (SIGKILL) when it runs for longer; 0: never
  std::vector<std::pair<std::string, std::string>> environment = {}; ///< variables it has beside, or in place of, ours
  std::stop_token stop = {};  ///< once requested, the child is asked to end (SIGTERM); any thread may do so
  bool ownGroup = false;      ///< it leads a process group, all of which is ended with it: for commands of a shell
  std::vector<int> kept = {}; ///< open files it shares with us: a lock on one is held until both have ended
};

/// Starts `arguments[0]` (a path) with `arguments`, waits, and gives its exit code; 128 + n where signal n ended it.
/// Fails when it cannot be started. The child does not outlive us: where the thread that waits ends in whatever way,
/// also by SIGKILL, the child gets SIGTERM.
Result<int> runProcess(const std::vector<std::string> &arguments, const ProcessOptions &options = {});

/// From here on a write beyond the limit for the size of files (RLIMIT_FSIZE, `ulimit -f`) is an error of the write, as
/// a full disk is, and no longer a signal that ends the process. For tools, also for the children they start; not for
/// libraries.
void makeFileSizeLimitAnError();

} // namespace mica

#endif // MICA_SUPPORT_PROCESS_H
