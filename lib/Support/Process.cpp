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
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mica {

/// Ours, with those of `options`; nothing where these are none.
static std::vector<std::string> environmentOf(const ProcessOptions &options) {
  std::vector<std::string> variables;
  if (options.environment.empty())
    return variables;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view variable(*entry);
    const std::string_view name = variable.substr(0, variable.find('='));
    bool replaced = false;
    for (const auto &[other, value] : options.environment)
      replaced = replaced || name == other;
    if (!replaced)
      variables.emplace_back(variable);
  }
  for (const auto &[name, value] : options.environment)
    variables.push_back(name + "=" + value);
  return variables;
}

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
  std::vector<std::string> variables = environmentOf(options);
  std::vector<char *> envp;
  for (std::string &variable : variables)
    envp.push_back(variable.data());
  envp.push_back(nullptr);
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(),
                                   options.environment.empty() ? environ : envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return systemError("start", arguments[0], failed);
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(options.secondsLimit);
  const bool limited = options.secondsLimit > 0;
  const bool polled = limited || options.stop.stop_possible();
  bool stopped = false;
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, polled ? WNOHANG : 0);
    if (ended == child)
      break;
    if (ended < 0 && errno != EINTR)
      return systemError("wait for", arguments[0], errno);
    if (!polled)
      continue;
    if (options.stop.stop_requested() && !std::exchange(stopped, true))
      ::kill(child, SIGTERM);
    if (limited && Clock::now() >= end)
      ::kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void makeFileSizeLimitAnError() { std::signal(SIGXFSZ, SIG_IGN); }

} // namespace mica
