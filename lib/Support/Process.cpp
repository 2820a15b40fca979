//===- Process.cpp - child processes -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// vfork, execve and waitpid.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Process.h"

#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mica {

/// This process's environment, extended by that of `options`; empty if there is nothing to add.
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

namespace {
/// A redirected stream of the child: opened by the parent, so that it can report errors.
struct Redirection {
  int stream = -1;
  FileDescriptor opened; ///< nothing: the descriptor is not owned
  int descriptor = -1;
};
} // namespace

static Result<std::vector<Redirection>> openStreams(const ProcessOptions &options) {
  std::vector<Redirection> streams;
  const std::pair<const std::filesystem::path &, int> files[] = {{options.standardInput, STDIN_FILENO},
                                                                 {options.standardOutput, STDOUT_FILENO},
                                                                 {options.standardError, STDERR_FILENO}};
  for (const auto &[file, stream] : files) {
    if (file.empty())
      continue;
    const bool isRead = stream == STDIN_FILENO;
    FileDescriptor opened(::open(file.c_str(), O_CLOEXEC | (isRead ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC), 0666));
    if (!opened)
      return systemError(isRead ? "read" : "write", file, errno);
    const int descriptor = opened.get();
    streams.push_back({stream, std::move(opened), descriptor});
  }
  if (options.standardInputDescriptor >= 0)
    streams.push_back({STDIN_FILENO, FileDescriptor(), options.standardInputDescriptor});
  return streams;
}

int limitAddressSpace(int64_t bytes) {
  rlimit limit;
  if (::getrlimit(RLIMIT_AS, &limit) != 0)
    return errno;
  // Only a privileged process may raise its limit.
  limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(bytes));
  return ::setrlimit(RLIMIT_AS, &limit) == 0 ? 0 : errno;
}

/// Runs in the child from vfork() to execve(), in the parent's memory: only system calls. Returns on failure.
static int becomeChild(char *const *argv, char *const *envp, const std::vector<Redirection> &streams,
                       const ProcessOptions &options, pid_t parent, const sigset_t &mask) {
  // The parent may have ended before prctl().
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != parent)
    return ESRCH;
  if (options.ownGroup && ::setpgid(0, 0) != 0)
    return errno;
  for (const Redirection &redirection : streams)
    // dup2() to itself would leave the descriptor close-on-exec.
    if (redirection.descriptor == redirection.stream ? ::fcntl(redirection.stream, F_SETFD, 0) != 0
                                                     : ::dup2(redirection.descriptor, redirection.stream) < 0)
      return errno;
  if (options.memoryLimit > 0)
    if (const int problem = limitAddressSpace(options.memoryLimit))
      return problem;
  for (const int descriptor : options.kept)
    if (::fcntl(descriptor, F_SETFD, 0) != 0)
      return errno;
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::execve(argv[0], argv, envp);
  return errno;
}

/// posix_spawn() cannot set the parent-death signal. vfork() is equally fast for a process of many gigabytes.
static Result<pid_t> startChild(char *const *argv, char *const *envp, const ProcessOptions &options) {
  MICA_ASSIGN_OR_RETURN(const std::vector<Redirection> streams, openStreams(options));
  // No signal handler may run in the child, which shares the parent's memory.
  sigset_t all, mask;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &mask);
  const pid_t parent = ::getpid();
  volatile int failed = 0;
  const pid_t child = ::vfork();
  if (child == 0) {
    failed = becomeChild(argv, envp, streams, options, parent, mask);
    ::_exit(127);
  }
  const int reason = child < 0 ? errno : 0;
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (child < 0)
    return systemError("start", argv[0], reason);
  if (failed == 0)
    return child;
  int ignored = 0;
  while (::waitpid(child, &ignored, 0) < 0 && errno == EINTR)
    continue;
  return systemError("start", argv[0], failed);
}

Result<int> runProcess(const std::vector<std::string> &arguments, const ProcessOptions &options) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  std::vector<std::string> variables = environmentOf(options);
  std::vector<char *> envp;
  for (std::string &variable : variables)
    envp.push_back(variable.data());
  envp.push_back(nullptr);
  MICA_ASSIGN_OR_RETURN(const pid_t child,
                        startChild(argv.data(), options.environment.empty() ? environ : envp.data(), options));
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
      ::kill(options.ownGroup ? -child : child, SIGTERM);
    if (limited && Clock::now() >= end)
      ::kill(options.ownGroup ? -child : child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void makeFileSizeLimitAnError() { std::signal(SIGXFSZ, SIG_IGN); }

} // namespace mica
