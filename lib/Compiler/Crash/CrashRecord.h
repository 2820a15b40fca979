//===- CrashRecord.h - records written from a signal handler ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Snapshots, index.json and the reproducer are written at the end of a compile, which is not reached if a pass crashes
// or hangs. A signal handler may neither allocate nor lock. So the texts of both files are prepared in pieces: a
// finished pass adds its record, a starting pass the message for its crash, and the handler only writes bytes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CRASH_CRASHRECORD_H
#define MICA_LIB_COMPILER_CRASH_CRASHRECORD_H

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mica::compiler {

class SnapshotArchive;
struct PassRecord;

class CrashRecord {
public:
  /// The part of a message that is the same for all ops that a pass runs on.
  struct Command {
    int position = 0;
    std::string pass;           ///< "cse"
    std::string title;          ///< "pass cse (7)"
    std::string command;        ///< that runs the pass alone
    std::string script;         ///< the reproducer's run.sh, from its second comment on
    std::string reproducer;     ///< its folder, relative to the record's
    std::string tool, longTool; ///< "mica-compile", "mica-compile 0.1.0"
    std::string folder;         ///< the future folder of the snapshots
    std::string state;          ///< "DIR:7": the input of the pass, if it is not a single snapshot
  };
  /// The message for a crash in one pass. It is formatted only in a crash.
  struct Pass {
    std::shared_ptr<const Command> command;
    std::string path, shortPath; ///< of the op (RecordPaths.h)
    std::string input;           ///< the snapshot that was the input of the pass; "": not a single one
  };

  /// The files to write are `index` and `reproducer`/run.sh.
  CrashRecord(const std::string &index, const std::string &reproducer);
  ~CrashRecord();
  CrashRecord(const CrashRecord &) = delete;

  /// The text of the index up to the records: "{..., "records": [".
  void setHead(std::string text);
  const std::string &head() const { return *first.load(); }
  /// Adds a record, whose address must stay valid. From one thread at a time.
  void addRecord(const PassRecord &record);
  /// Sets the archive of snapshots, which is written beside the index. It must outlive the record.
  void setArchive(const SnapshotArchive *archive) { snapshots = archive; }
  /// This thread begins a pass (enter) or ends it (leave).
  void enter(Pass pass);
  void leave();

  /// Writes the record of the pass that runs on this thread, or else of one on any thread, and prints where it is to
  /// the error stream. May be called in a signal handler. False if no recorded pass is running.
  static bool write(const char *how);
  /// Marks this thread as one that runs no passes, so that write() on it blames none.
  static void runsNoPass();

  /// Makes the first crashing thread run LLVM's signal handlers undisturbed: by default LLVM lets the next crashing
  /// thread end the process. To be called after those handlers were added. A crash within malloc leaves its lock
  /// taken, and those handlers, which print the stack, wait for it: after 10 s `end` is called instead, which
  /// allocates nothing and does not return; without it the process ends with exit code 2.
  static void handleCrashes(void (*end)() = nullptr);

  /// Starts a watcher thread that calls write() and then `end`, once, when a pass has run for longer than `seconds`.
  static void limitPasses(double seconds, void (*end)());

private:
  struct Running {
    Pass pass;
    int64_t startMs;
  };
  struct Slot {
    std::atomic<uint64_t> thread{0}; ///< 0: free
    std::atomic<Running *> top{nullptr};
    /// A stack: while the verifier of a pass waits for its workers, the thread may run passes on other ops.
    std::vector<std::unique_ptr<Running>> stack;
    std::unique_ptr<Running> former; ///< kept alive, as a handler of another thread may read it
  };
  struct Link {
    const PassRecord *record = nullptr;
    std::atomic<Link *> next{nullptr};
  };
  void unpackInHandler() const;
  bool writeFor(const Pass &pass, const char *how);
  Slot *slotOf(uint64_t thread);

  std::string index, folder, script, packFile, unpackFlag, indexFolder;
  std::string compiler;                            ///< the program that unpacks snapshots; "": not found
  std::atomic<const std::string *> first{nullptr}; ///< the last of `heads`
  std::deque<std::string> heads;                   ///< all are kept, as a handler may read an earlier one
  std::deque<Link> links = std::deque<Link>(1);    ///< the first has no record
  const SnapshotArchive *snapshots = nullptr;
  std::array<Slot, 64> slots; ///< further threads are not tracked
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CRASH_CRASHRECORD_H
