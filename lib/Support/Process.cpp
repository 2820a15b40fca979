//===- Process.cpp - child processes -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// posix_spawn and waitpid.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Process.h"

#include "mica/Support/Files.h"

#include <cerrno>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mica {

Result<int> runProcess(const std::vector<std::string> &arguments, const ProcessOptions &options) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!options.standardInput.empty())
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, options.standardInput.c_str(), O_RDONLY, 0);
  if (!options.standardOutput.empty())
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.standardOutput.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!options.standardError.empty())
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, options.standardError.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return systemError("start", arguments[0], failed);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return systemError("wait for", arguments[0], errno);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace mica
