//===- CrashRecord.cpp - records written from a signal handler ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CrashRecord.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Crash/CrashRecord.h"

#include "lib/Compiler/Program/JsonLine.h"
#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Index/RecordIndex.h"
#include "mica/Support/Paths.h"

#include "llvm/Support/Signals.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mica::compiler;

/// The records of this process, at a fixed place for signal handlers.
static std::array<std::atomic<CrashRecord *>, 256> records;
/// Locked by the watcher thread of limitPasses while it reads, so that no record is destroyed; signal handlers do not
/// lock.
static std::mutex recordsMutex;
/// Set by the first thread that writes; later faults, also of other threads, write nothing.
static std::atomic<bool> isWriting{false};

/// Of this thread. The system is asked once for each thread.
static uint64_t threadId() {
  static thread_local uint64_t id = 0;
  if (id == 0)
    id = static_cast<uint64_t>(syscall(SYS_gettid));
  return id;
}

static int64_t nowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

/// "pass cse (7) on k".
static void appendTitle(TextSink &sink, const CrashRecord::Pass &pass) {
  sink.append(pass.command->title);
  if (pass.shortPath.empty())
    return;
  sink.append(" on ");
  sink.append(pass.shortPath);
}

namespace {
/// An alternate signal stack, for a stack overflow; LLVM installs one for the main thread only.
class HandlerStack {
public:
  HandlerStack() {
    stack_t current{};
    if (sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
      return;
    constexpr size_t kSize = 128 * 1024; // large enough to print a stack trace
    memory = std::make_unique<char[]>(kSize);
    stack_t own{};
    own.ss_sp = memory.get();
    own.ss_size = kSize;
    sigaltstack(&own, nullptr);
  }
  ~HandlerStack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (memory)
      sigaltstack(&none, nullptr);
  }

private:
  std::unique_ptr<char[]> memory;
};
} // namespace

CrashRecord::CrashRecord(const std::string &index, const std::string &reproducer)
    : index(index), folder(reproducer), script(reproducer + "/run.sh"),
      packFile(index.substr(0, index.rfind('/') + 1) + std::string(artifact::kSnapshotArchiveFile)),
      unpackFlag("--unpack-snapshots=" + index.substr(0, index.rfind('/'))),
      indexFolder(unpackFlag.substr(unpackFlag.find('=') + 1)) {
  if (Result<std::filesystem::path> found = findCompiler())
    compiler = found->string();
  for (std::atomic<CrashRecord *> &place : records) {
    CrashRecord *none = nullptr;
    if (place.compare_exchange_strong(none, this))
      break;
  }
}

CrashRecord::~CrashRecord() {
  std::lock_guard lock(recordsMutex);
  for (std::atomic<CrashRecord *> &place : records) {
    CrashRecord *self = this;
    place.compare_exchange_strong(self, nullptr);
  }
}

void CrashRecord::setHead(std::string text) { first = &heads.emplace_back(std::move(text)); }

void CrashRecord::addRecord(const PassRecord &record) {
  Link &last = links.back(), &link = links.emplace_back();
  link.record = &record;
  last.next = &link;
}

CrashRecord::Slot *CrashRecord::slotOf(uint64_t thread) {
  for (Slot &slot : slots)
    if (slot.thread == thread)
      return &slot;
  return nullptr;
}

/// Waits while another thread writes and ends the process.
static void waitForEnd() {
  while (isWriting)
    pause();
}

void CrashRecord::enter(Pass pass) {
  waitForEnd();
  static thread_local HandlerStack handlerStack;
  uint64_t thread = threadId();
  Slot *slot = slotOf(thread);
  for (size_t i = 0; !slot && i < slots.size(); ++i) {
    uint64_t free = 0;
    if (slots[i].thread.compare_exchange_strong(free, thread))
      slot = &slots[i];
  }
  if (!slot)
    return;
  slot->stack.push_back(std::make_unique<Running>(Running{std::move(pass), nowMs()}));
  slot->top = slot->stack.back().get();
}

void CrashRecord::leave() {
  waitForEnd();
  Slot *slot = slotOf(threadId());
  if (!slot || slot->stack.empty())
    return;
  slot->former = std::move(slot->stack.back());
  slot->stack.pop_back();
  slot->top = slot->stack.empty() ? nullptr : slot->stack.back().get();
  if (slot->stack.empty())
    slot->thread = 0;
}

/// Unpacks the snapshots to files in another process, since this one is no longer able to.
void CrashRecord::unpackInHandler() const {
  if (compiler.empty())
    return;
  const pid_t child = _Fork();
  if (child == 0) {
    // Reset handlers, so that the child does not write another record.
    for (int signal = 1; signal < NSIG; ++signal)
      std::signal(signal, SIG_DFL);
    execl(compiler.c_str(), compiler.c_str(), unpackFlag.c_str(), nullptr);
    _exit(1);
  }
  const timespec pause{0, 10'000'000};
  for (int waited = 0; child > 0 && waited < 1000 && waitpid(child, nullptr, WNOHANG) == 0; ++waited)
    nanosleep(&pause, nullptr);
}

bool CrashRecord::writeFor(const Pass &pass, const char *how) {
  if (isWriting.exchange(true))
    return true;
  // Another thread may be adding a record. Snapshots are added before their records, so all known ones are in the
  // archive.
  const Link *last = &links.front();
  while (const Link *next = last->next)
    last = next;
  // With sealed snapshots the folder does not exist before the end.
  mkdir(indexFolder.c_str(), 0777);
  if (int file = snapshots ? open(packFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1; file >= 0) {
    snapshots->writeRaw(file);
    close(file);
    unpackInHandler();
  }
  const Command &command = *pass.command;
  if (int file = open(index.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); file >= 0) {
    {
      FileSink sink(file);
      sink.append(head());
      for (const Link *link = &links.front(); link != last;) {
        sink.append(link == &links.front() ? "\n" : ",\n");
        link = link->next;
        appendRecord(sink, *link->record);
      }
      sink.append("],\n\"failure\":");
      JsonLine json(sink);
      json.add("position", command.position);
      json.add("pass", command.pass);
      json.add("op", pass.shortPath);
      if (pass.path != pass.shortPath)
        json.add("path", pass.path);
      json.add("input", pass.input);
      json.add("reproducer", command.reproducer);
      json.add("command", command.command);
      json.add("how", how);
    }
    // The index continues after the object of the failure.
    FileSink(file).append("}\n");
    close(file);
  }
  mkdir(folder.c_str(), 0777);
  if (int file = open(script.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0777); file >= 0) {
    {
      FileSink sink(file);
      sink.append("#!/bin/sh\n# ");
      sink.append(command.longTool);
      sink.append(": ");
      appendTitle(sink, pass);
      sink.append(command.script);
    }
    close(file);
  }
  FileSink sink(STDERR_FILENO);
  sink.append(command.tool);
  sink.append(": error: ");
  appendTitle(sink, pass);
  sink.append(" ");
  sink.append(how);
  sink.append("; its input is ");
  // No conditional with both a string and a literal, which would allocate a string: the crash may be in malloc.
  sink.append(pass.input.empty() ? llvm::StringRef("the state --resume=") : llvm::StringRef(command.folder));
  sink.append(pass.input.empty() ? "" : "/");
  sink.append(pass.input.empty() ? command.state : pass.input);
  sink.append("\n  the pass alone: ");
  sink.append(command.command);
  sink.append("\n");
  return true;
}

/// Set on threads that run no passes.
static thread_local bool isBeside = false;

void CrashRecord::runsNoPass() { isBeside = true; }

bool CrashRecord::write(const char *how) {
  if (isBeside)
    return false;
  uint64_t thread = threadId();
  for (bool own : {true, false})
    for (std::atomic<CrashRecord *> &place : records)
      if (CrashRecord *record = place)
        for (Slot &slot : record->slots)
          if (Running *running = slot.top; running && (!own || slot.thread == thread))
            return record->writeFor(running->pass, how);
  return false;
}

/// The signals of a crash, and their previous actions.
static constexpr std::array kCrashSignals{SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS};
static std::array<struct sigaction, kCrashSignals.size()> formerActions;
static std::atomic<uint64_t> crashedThread{0};

static void (*endOfStuckCrash)() = nullptr;

static void onStuck(int) {
  static const char text[] = "\nthe stack cannot be printed: the heap is damaged\n";
  if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0 || !endOfStuckCrash)
    _exit(2);
  endOfStuckCrash();
}

static void onCrash(int signal) {
  std::signal(SIGALRM, onStuck);
  alarm(10);
  uint64_t first = 0;
  bool isFirst = crashedThread.compare_exchange_strong(first, threadId());
  while (!isFirst && first != threadId())
    pause();
  if (isFirst)
    llvm::sys::RunSignalHandlers();
  for (size_t i = 0; i < kCrashSignals.size(); ++i)
    if (kCrashSignals[i] == signal)
      sigaction(signal, &formerActions[i], nullptr);
  // LLVM's own handler removes partially written files.
  raise(signal);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void CrashRecord::handleCrashes(void (*end)()) {
  endOfStuckCrash = end;
  struct sigaction action {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kCrashSignals.size(); ++i)
    sigaction(kCrashSignals[i], &action, &formerActions[i]);
}

void CrashRecord::limitPasses(double seconds, void (*end)()) {
  std::thread([seconds, end] {
    static std::string how; // read by write() until the process ends
    char text[64];
    snprintf(text, sizeof(text), "ran for longer than %g s", seconds);
    how = text;
    while (true) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::lock_guard lock(recordsMutex);
      for (std::atomic<CrashRecord *> &place : records)
        if (CrashRecord *record = place)
          for (Slot &slot : record->slots)
            if (Running *running = slot.top; running && nowMs() - running->startMs > seconds * 1000) {
              record->writeFor(running->pass, how.c_str());
              return end();
            }
    }
  }).detach();
}
