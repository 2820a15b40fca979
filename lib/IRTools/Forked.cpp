//===- Forked.cpp - running functions in forked processes ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Forked.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Forked.h"

#include "mica/Support/Process.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mica;
using namespace mica::irtools;

/// Reads from `descriptor` until its end, or until `seconds` have passed; returns whether it reached the end.
static bool readAll(int descriptor, double seconds, std::string &text) {
  using Clock = std::chrono::steady_clock;
  auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  char bytes[4096];
  while (true) {
    int64_t left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready == 0)
      return false;
    if (ready < 0 && errno == EINTR)
      continue;
    ssize_t count = read(descriptor, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    text.append(bytes, static_cast<size_t>(count));
  }
}

[[noreturn]] static void runAsChild(int end, llvm::function_ref<std::string()> body, int64_t memoryBytes) {
  // Drop output and stack traces. A crash is identified by its signal.
  // If the parent ends, so does this process, and what it has started.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    std::signal(signal, SIG_DFL);
  int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  if (memoryBytes > 0)
    mica::limitAddressSpace(memoryBytes);
  const std::string text = body();
  for (size_t at = 0; at < text.size();) {
    ssize_t count = write(end, text.data() + at, text.size() - at);
    if (count <= 0)
      break;
    at += static_cast<size_t>(count);
  }
  _exit(0);
}

struct ForkedRun::Child {
  pid_t process = -1;
  int end = -1; ///< of the pipe
  Forked forked;
  std::thread reader; ///< needed, because the child would block on a full pipe
};

ForkedRun::ForkedRun(llvm::function_ref<std::string()> body, double seconds, int64_t memoryBytes) {
  int ends[2];
  // Close-on-exec, so that another child does not keep the write end open.
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  llvm::outs().flush();
  llvm::errs().flush();
  const pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    runAsChild(ends[1], body, memoryBytes);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return;
  }
  child = std::make_unique<Child>();
  child->process = process;
  child->end = ends[0];
  child->forked.started = true;
  child->reader = std::thread([child = child.get(), seconds] {
    child->forked.ended = readAll(child->end, seconds, child->forked.text);
    if (!child->forked.ended)
      kill(child->process, SIGKILL);
  });
}

ForkedRun::ForkedRun(ForkedRun &&other) noexcept = default;

Forked ForkedRun::wait() {
  if (!child)
    return {};
  const std::unique_ptr<Child> ended = std::move(child);
  ended->reader.join();
  close(ended->end);
  int status = 0;
  while (waitpid(ended->process, &status, 0) < 0 && errno == EINTR) {
  }
  if (ended->forked.ended && WIFSIGNALED(status))
    ended->forked.signal = WTERMSIG(status);
  return std::move(ended->forked);
}

ForkedRun::~ForkedRun() {
  if (!child)
    return;
  kill(child->process, SIGKILL);
  wait();
}
