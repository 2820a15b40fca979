//===- Ranks.cpp - programs for several ranks ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See Ranks.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Ranks.h"

#include "mica/Runtime/Communicator.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Paths.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace mica::runtool {

Status setRanks(Options &options, const std::string &value) {
  if (value == "threads") {
    options.ranksAsThreads = true;
    return {};
  }
  MICA_ASSIGN_OR_RETURN(options.ranks, parseFlagInteger("--ranks", value, 1, 65536));
  return {};
}

/// Whether mpirun is Open MPI's, which has flags and rules of its own.
static bool isOpenMpi() {
  FILE *pipe = ::popen("mpirun --version 2>/dev/null", "r");
  if (!pipe)
    return false;
  char line[256] = "";
  const bool found = std::fgets(line, sizeof line, pipe) && std::strstr(line, "Open MPI");
  ::pclose(pipe);
  return found;
}

Status startRanks(const Options &options, int argc, char **argv) {
  if (options.ranks == 0 || runtime::rankLauncher())
    return {};
  std::vector<std::string> command{"mpirun", "-n", std::to_string(options.ranks)};
  if (isOpenMpi()) {
    // More ranks than CPUs are fine: these runs are for debugging.
    command.push_back("--oversubscribe");
    if (::geteuid() == 0)
      command.push_back("--allow-run-as-root");
  }
  command.push_back(executablePath().string());
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--ranks" && i + 1 < argc)
      ++i;
    else if (!argument.starts_with("--ranks="))
      command.emplace_back(argument);
  }
  std::vector<char *> arguments;
  for (std::string &argument : command)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  ::execvp("mpirun", arguments.data());
  return Error{ErrorCode::Unsupported, std::string("--ranks: mpirun cannot be started: ") + std::strerror(errno),
               "install MPI (apt-get install openmpi-bin), or use --ranks=threads, which needs none"};
}

Status checkRankOptions(const Options &options, const artifact::Manifest &manifest) {
  MICA_ASSIGN_OR_RETURN(const int32_t ranks, runtime::ranksOf(manifest));
  if (ranks == 0) {
    const std::optional<runtime::RankLauncher> launcher = runtime::rankLauncher();
    if (launcher && launcher->size > 1 && launcher->rank == 0)
      printWarning("mica-run",
                   "each of the " + std::to_string(launcher->size) +
                       " processes runs the whole program: it is for one rank",
                   "annotate it with shard.shard to split it (docs/Ranks.md)");
    return {};
  }
  const char *flag = options.checkOps           ? "--check-reference=ops"
                     : !options.why.empty()     ? "--why"
                     : !options.whoUses.empty() ? "--who-uses"
                                                : nullptr;
  if (!flag)
    return {};
  return Error{ErrorCode::Unsupported,
               std::string(flag) + " looks at every tensor, and in a program for several ranks each rank has parts",
               "--check-reference compares the results, which are whole"};
}

void silenceOtherRanks() {
  const std::optional<runtime::RankLauncher> launcher = runtime::rankLauncher();
  if (!launcher || launcher->rank == 0)
    return;
  hideNotes();
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0)
    return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

} // namespace mica::runtool
