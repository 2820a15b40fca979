//===- Isolated.cpp - the caller's side of an isolated call -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// See Isolated.h. The worker is started, not forked: a copy of the caller would show the artifact's code all that the
// caller has in memory, and a process of several threads can hardly be copied.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Isolated.h"

#include "lib/Runtime/Isolated/Call.h"
#include "lib/Runtime/Isolated/Message.h"
#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mica::runtime {
namespace {

/// An empty file in memory, on a descriptor that is none of those the worker gets.
Result<FileDescriptor> memoryFile(const char *name) {
  const FileDescriptor made(::memfd_create(name, MFD_CLOEXEC));
  FileDescriptor moved(made ? ::fcntl(made.get(), F_DUPFD_CLOEXEC, 16) : -1);
  if (!moved)
    return systemError("make", "a file in memory", errno);
  return moved;
}

/// What the worker is told of the environment: how to find libraries, to print, and what Mica watches. The rest, which
/// may hold secrets, stays here.
std::vector<char *> workerEnvironment() {
  static constexpr const char *kKept[] = {"LD_LIBRARY_PATH", "LANG",         "LC_ALL",        "TZ",
                                          "MICA_LOGS",       "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"};
  std::vector<char *> kept;
  for (char **variable = environ; *variable; ++variable)
    for (const char *name : kKept)
      if (const size_t size = std::strlen(name); std::strncmp(*variable, name, size) == 0 && (*variable)[size] == '=')
        kept.push_back(*variable);
  kept.push_back(nullptr);
  return kept;
}

/// Starts `worker` with the two files.
Result<pid_t> start(const std::filesystem::path &worker, int callFile, int answerFile) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, callFile, kCallDescriptor);
  ::posix_spawn_file_actions_adddup2(&files, answerFile, kAnswerDescriptor);
  ::posix_spawn_file_actions_addclosefrom_np(&files, kAnswerDescriptor + 1);
  // What the caller blocks or ignores is not for the worker.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::sigfillset(&signals);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string program = worker.string(), flag(kIsolatedWorkerFlag);
  char *arguments[] = {program.data(), flag.data(), nullptr};
  pid_t child = -1;
  const int failure =
      ::posix_spawn(&child, program.c_str(), &files, &attributes, arguments, workerEnvironment().data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (failure != 0)
    return systemError("start", worker, failure);
  return child;
}

/// Waits for `child`, ends it after `seconds` (0: never), and takes its status. False where it had to be ended.
bool waitFor(pid_t child, double seconds, int &status) {
  bool inTime = true;
  if (seconds > 0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    // A kernel without pidfd_open (before 5.3) has no Landlock either: the worker refuses, and ends at once.
    const FileDescriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    pollfd waiting{ended.get(), POLLIN, 0};
    for (inTime = !ended; !inTime && !waiting.revents;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      if (left <= 0)
        break;
      ::poll(&waiting, 1, static_cast<int>(std::min<int64_t>(left, 1 << 30)));
    }
    inTime |= waiting.revents != 0;
    if (!inTime)
      ::kill(child, SIGKILL);
  }
  // A caller that ignores SIGCHLD gets no status: then the answer alone counts.
  status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return inTime;
}

std::string textOf(const Json &json, const char *key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

int64_t numberOf(const Json &json, const char *key) {
  return json.contains(key) && json[key].is_number_integer() ? json[key].get<int64_t>() : 0;
}

/// The error that the worker answered.
Error errorOf(const Json &head, FaultInfo *fault) {
  const Json &error = head["error"];
  const int64_t code = numberOf(error, "code");
  if (fault && head.contains("place")) {
    const Json &place = head["place"];
    *fault = {textOf(place, "kernel"), textOf(place, "id"),       textOf(place, "operation"), textOf(place, "file"),
              numberOf(place, "line"), numberOf(place, "column"), textOf(place, "operands"),  textOf(place, "element")};
  }
  const bool isKnown = code >= 0 && code <= static_cast<int64_t>(ErrorCode::Internal);
  return {isKnown ? static_cast<ErrorCode>(code) : ErrorCode::Internal, textOf(error, "message"),
          textOf(error, "hint")};
}

/// Whether the results are what the entry promises; the caller relies on it.
Status checkResults(const std::vector<Tensor> &results, const artifact::EntryRecord &entry) {
  auto refuse = [&](const std::string &what) {
    return Error{ErrorCode::Damaged, "the isolated call of '" + entry.name + "' gave " + what,
                 "the program's code may have done this"};
  };
  if (results.size() != entry.results.size())
    return refuse(std::to_string(results.size()) + " results, expected " + std::to_string(entry.results.size()));
  for (size_t i = 0; i < results.size(); ++i) {
    const artifact::TensorSpec &spec = entry.results[i];
    bool fits = results[i].dtype == spec.dtype && results[i].shape.size() == spec.shape.size();
    for (size_t dim = 0; fits && dim < spec.shape.size(); ++dim)
      fits = spec.shape[dim] < 0 || spec.shape[dim] == results[i].shape[dim];
    if (!fits)
      return refuse("a result " + std::to_string(i) + " of another type than it has");
  }
  return {};
}

} // namespace

Result<std::vector<Tensor>> runIsolated(const std::filesystem::path &worker, const IsolatedCall &call,
                                        const artifact::Manifest &manifest, std::span<const TensorView> inputs,
                                        FaultInfo *fault) {
  const auto entry = std::find_if(manifest.entries.begin(), manifest.entries.end(),
                                  [&](const artifact::EntryRecord &record) { return record.name == call.entry; });
  if (entry == manifest.entries.end())
    return Error{ErrorCode::NotFound, "the program has no entry '" + call.entry + "'", ""};
  MICA_ASSIGN_OR_RETURN(FileDescriptor callFile, memoryFile("mica-call"));
  MICA_ASSIGN_OR_RETURN(FileDescriptor answerFile, memoryFile("mica-answer"));
  MICA_RETURN_IF_ERROR(writeMessage(callFile.get(), callJson(call), inputs));
  MICA_ASSIGN_OR_RETURN(const pid_t child, start(worker, callFile.get(), answerFile.get()));
  (void)callFile.close();
  int status = 0;
  if (!waitFor(child, call.seconds, status))
    return Error{ErrorCode::Hang, "the isolated call of '" + call.entry + "' took longer than its limit, and was ended",
                 "allow it more seconds"};
  MICA_ASSIGN_OR_RETURN(std::optional<Message> answer, readMessage(answerFile.get()));
  if (WIFSIGNALED(status))
    return Error{ErrorCode::Difference,
                 "the isolated call of '" + call.entry + "' was ended by signal " + std::to_string(WTERMSIG(status)) +
                     " (" + ::strsignal(WTERMSIG(status)) + ")",
                 "the program's code did this, or needs what a confined call may not do; the switch assert-level=all "
                 "finds accesses outside of buffers"};
  if (!answer)
    return Error{ErrorCode::Difference,
                 "the isolated call of '" + call.entry + "' ended with exit code " +
                     std::to_string(WEXITSTATUS(status)) + " and without an answer",
                 "the program's code did this, or it ran out of memory"};
  if (answer->head.contains("error"))
    return errorOf(answer->head, fault);
  MICA_RETURN_IF_ERROR(checkResults(answer->tensors, *entry));
  return std::move(answer->tensors);
}

} // namespace mica::runtime
