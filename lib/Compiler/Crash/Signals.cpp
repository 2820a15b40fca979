//===- Signals.cpp - handling interrupts and crashes of a compile -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Signals.h. A separate thread waits for interrupts, so that it can remove files; the handler of a crash only
// writes prepared bytes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Crash/Signals.h"

#include "lib/Compiler/Crash/CrashRecord.h"
#include "mica/Support/Files.h"
#include "mica/Support/MemoryLimit.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace mica::compiler;

/// The current activity, at a fixed address for the handler.
static char activity[256];
static std::atomic<size_t> activityLength{0};

static void writeBytes(const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(STDERR_FILENO, text, length);
    if (written <= 0)
      return;
    text += written;
    length -= written;
  }
}

/// Paths of the folder and of its name after a failure; "": none. Not written while a handler may run.
static char folderPath[PATH_MAX], failedPath[PATH_MAX];
/// Arguments of the second attempt; null if there is none.
static char **rerunArguments = nullptr;

/// Renames the folder to its name after a failure. An existing folder of that name gets the temporary name, which the
/// next compile removes.
static void keepFolder() {
  if (folderPath[0] && rename(folderPath, failedPath) != 0)
    syscall(SYS_renameat2, AT_FDCWD, folderPath, AT_FDCWD, failedPath, RENAME_EXCHANGE);
}

/// Ends the process because LLVM's passes and code generator do not end on `unit`.
[[noreturn]] static void endForCode(const std::string &unit, double seconds) {
  char limit[32];
  snprintf(limit, sizeof(limit), "%g", seconds);
  const std::string text = "mica-compile: error: code generation of " + unit + " by LLVM ran for longer than " + limit +
                           " s" + (failedPath[0] ? "; the last snapshots are in " + std::string(failedPath) : "") +
                           "\n  hint: --llvm-bisect-limit=" + unit +
                           ":N stops before LLVM's pass N; -O1 makes simpler code; --pass-time-limit=0 waits\n";
  writeBytes(text.data(), text.size());
  _exit(4);
}

static void onCrash(void *) {
  static const char head[] = "mica-compile: internal error: crashed";
  static const char tail[] =
      "\n  please report this bug to Mica, with the input and the stack above (CONTRIBUTING.md)\n";
  static const char again[] = "\n  compiling again to record the snapshots\n";
  if (CrashRecord::write("crashed")) {
    keepFolder();
    _exit(2);
  }
  writeBytes(head, sizeof(head) - 1);
  writeBytes(activity, activityLength.load());
  if (rerunArguments) {
    writeBytes(again, sizeof(again) - 1);
    lseek(STDIN_FILENO, 0, SEEK_SET); // effective if it is a copy of the program
    execv("/proc/self/exe", rerunArguments);
  }
  writeBytes(tail, sizeof(tail) - 1);
  _exit(2);
}

/// LLVM aborts where an allocation fails. The running pass is recorded as in a crash, but out of memory is not reported
/// as a fault of Mica. Writing the record may need memory too.
static void onNoMemory(void *, const char *, bool) {
  static std::atomic<bool> isWriting{false};
  if (isWriting.exchange(true))
    mica::endWithoutMemory();
  if (CrashRecord::write("ran out of memory")) {
    keepFolder();
    _exit(1);
  }
  static const char head[] = "mica-compile: error: out of memory";
  static const char tail[] = "\n  hint: use a smaller program or free memory\n";
  writeBytes(head, sizeof(head) - 1);
  writeBytes(activity, activityLength.load());
  writeBytes(tail, sizeof(tail) - 1);
  _exit(1);
}

/// LLVM reports a thread that cannot be started as a fatal error.
static void onFatalError(void *, const char *message, bool) {
  const std::string_view text = message;
  const bool isSystem = text.find("pthread_create") != text.npos || text.find("memory") != text.npos;
  const std::string_view head = isSystem ? "mica-compile: error: " : "LLVM ERROR: ", tail = "\n";
  for (std::string_view part : {head, text, tail})
    writeBytes(part.data(), part.size());
  if (isSystem)
    _exit(1);
}

SignalGuard::SignalGuard() : shared(std::make_shared<Shared>()) {
  llvm::install_bad_alloc_error_handler(onNoMemory);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::sys::AddSignalHandler(onCrash, nullptr);
  CrashRecord::handleCrashes([] { onCrash(nullptr); });
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&signals, number);
  // Threads inherit the mask, so that only the waiting thread gets these signals.
  if (pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0)
    return;
  std::thread([shared = shared, signals] {
    int number = 0;
    if (sigwait(&signals, &number) != 0)
      return;
    std::lock_guard lock(shared->mutex);
    std::error_code code;
    // Other threads write files until the process ends.
    if (!shared->folder.empty())
      stopMakingFolders();
    for (int attempt = 0; attempt < 200 && !shared->folder.empty(); ++attempt) {
      std::filesystem::remove_all(shared->folder, code);
      if (!code && !std::filesystem::exists(shared->folder, code))
        break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    static const char text[] = "\nmica-compile: interrupted; no output is left\n";
    writeBytes(text, sizeof(text) - 1);
    _exit(128 + number);
  }).detach();
}

/// Copies `path` to a buffer for the handler; "" if it does not fit.
static void keepPath(char (&place)[PATH_MAX], const std::filesystem::path &path) {
  std::string text = path.string();
  place[0] = 0;
  if (text.size() < sizeof(place))
    std::memcpy(place, text.c_str(), text.size() + 1);
}

void SignalGuard::setFolder(const std::filesystem::path &folder, const std::filesystem::path &failed) {
  std::lock_guard lock(shared->mutex);
  shared->folder = folder;
  keepPath(failedPath, failed);
  keepPath(folderPath, failedPath[0] ? folder : std::filesystem::path());
}

void SignalGuard::setRerun(std::vector<std::string> arguments) {
  shared->rerun = std::move(arguments);
  for (std::string &argument : shared->rerun)
    shared->rerunPointers.push_back(argument.data());
  shared->rerunPointers.push_back(nullptr);
  rerunArguments = shared->rerunPointers.data();
}

void SignalGuard::limitPasses(double seconds) {
  CrashRecord::limitPasses(seconds, [] {
    keepFolder();
    _exit(4);
  });
  std::thread([shared = shared, seconds] {
    while (true) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::lock_guard lock(shared->codeMutex);
      for (const RunningCode &code : shared->code)
        if (std::chrono::duration<double>(Clock::now() - code.start).count() > seconds) {
          keepFolder();
          endForCode(code.unit, seconds);
        }
    }
  }).detach();
}

void SignalGuard::setCode(const std::string &unit, bool begins) {
  if (begins)
    setActivity(" while making code of " + unit);
  std::lock_guard lock(shared->codeMutex);
  std::erase_if(shared->code, [](const RunningCode &code) { return code.thread == std::this_thread::get_id(); });
  if (begins)
    shared->code.push_back({std::this_thread::get_id(), unit, Clock::now()});
}

void SignalGuard::setActivity(const std::string &text) {
  std::lock_guard lock(shared->mutex);
  size_t length = std::min(text.size(), sizeof(activity));
  activityLength = 0;
  std::memcpy(activity, text.data(), length);
  activityLength = length;
}
