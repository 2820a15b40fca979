//===- Process.h - child processes -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Starts a program and waits for it, without a shell: arguments are passed unchanged, including spaces and quotes.
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

/// Options of a child process. Empty paths: inherited.
struct ProcessOptions {
  std::filesystem::path standardInput;  ///< file for its standard input
  int standardInputDescriptor = -1;     ///< open file for its standard input, read from its current position; -1: none
  std::filesystem::path standardOutput; ///< file for its standard output
  std::filesystem::path standardError;  ///< file for its standard error
  int64_t memoryLimit = 0;              ///< bytes of address space (RLIMIT_AS), at most what is inherited; 0: inherited
  double secondsLimit = 0;              ///< it is killed (SIGKILL) when it runs for longer; 0: never
  std::vector<std::pair<std::string, std::string>> environment = {}; ///< variables added to the inherited ones
  std::stop_token stop = {};  ///< once requested, the child gets SIGTERM; any thread may request it
  bool ownGroup = false;      ///< it leads a process group, which is ended with it: for shell commands
  std::vector<int> kept = {}; ///< inherited open files: a lock on one is held until both processes have ended
};

/// Starts `arguments[0]` (a path) with `arguments`, waits, and returns its exit code; 128 + n if signal n ended it.
/// Fails if it cannot be started. The child gets SIGTERM when the waiting thread ends, for any reason including
/// SIGKILL.
Result<int> runProcess(const std::vector<std::string> &arguments, const ProcessOptions &options = {});

/// Limits the address space of this process (RLIMIT_AS) to `bytes`, or to its present limit if that is lower. Gives
/// errno, or 0. May be called between fork and exec.
int limitAddressSpace(int64_t bytes);

/// Makes a write beyond the limit for file sizes (RLIMIT_FSIZE, `ulimit -f`) an error of the write, like a full disk,
/// instead of a signal that ends the process. For tools and their children; not for libraries.
void makeFileSizeLimitAnError();

} // namespace mica

#endif // MICA_SUPPORT_PROCESS_H
