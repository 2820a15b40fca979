//===- CrashRecord.h - what a process that dies in a pass leaves --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Snapshots, index.json and the reproducer are written at the end, which a pass that crashes, or never comes back,
// keeps from coming. A signal handler may neither allocate nor lock. So the texts of both files are kept ready, in
// pieces: each pass that ends adds its record, each that begins what would be said of its crash, and the handler only
// writes bytes.
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
  /// What is the same for all ops that a pass runs on.
  struct Command {
    int position = 0;
    std::string pass;           ///< "cse"
    std::string title;          ///< "pass cse (7)"
    std::string command;        ///< that runs the pass alone
    std::string script;         ///< the reproducer's run.sh, from its second comment on
    std::string reproducer;     ///< its folder, from the record's
    std::string tool, longTool; ///< "mica-compile", "mica-compile 0.1.0"
    std::string folder;         ///< where snapshots will be
    std::string state;          ///< "DIR:7": what the pass was given, where that is no single snapshot
  };
  /// What is written where the process dies in one pass. Texts are made of it then: most passes do not.
  struct Pass {
    std::shared_ptr<const Command> command;
    std::string path, shortPath; ///< of the op (RecordPaths.h)
    std::string input;           ///< the snapshot with what the pass was given; "": no single one
  };

  /// The files will be `index` and `reproducer`/run.sh.
  CrashRecord(const std::string &index, const std::string &reproducer);
  ~CrashRecord();
  CrashRecord(const CrashRecord &) = delete;

  /// The text of the index up to the records: "{..., "records": [".
  void setHead(std::string text);
  const std::string &head() const { return *first.load(); }
  /// A record, which must stay where it is. From one thread at a time.
  void addRecord(const PassRecord &record);
  /// The snapshots so far, written beside the index. Must outlive the record.
  void setPack(const SnapshotArchive *pack) { snapshots = pack; }
  /// This thread begins a pass, or is done with it.
  void enter(Pass pass);
  void leave();

  /// Writes what the pass that runs on this thread leaves, or else one that runs on any, and says so on the error
  /// stream. May be called in a signal handler. False where no pass of any record is running.
  static bool write(const char *how);
  /// write() on this thread blames no pass from now on: it runs beside them.
  static void runsNoPass();

  /// From now on the first thread that crashes runs LLVM's signal handlers undisturbed: LLVM by itself lets the next
  /// thread that crashes end the process. To be called after those handlers were added.
  static void handleCrashes();

  /// From now on `end` is called, on a thread of its own, when a pass has run for longer than `seconds`, once; after
  /// write().
  static void limitPasses(double seconds, void (*end)());

private:
  struct Running {
    Pass pass;
    int64_t startMs;
  };
  struct Slot {
    std::atomic<uint64_t> thread{0}; ///< 0: free
    std::atomic<Running *> top{nullptr};
    /// While the verifier of a pass waits for its workers, the thread may run passes on other ops.
    std::vector<std::unique_ptr<Running>> stack;
    std::unique_ptr<Running> former; ///< lives on while a handler of another thread may read it
  };
  struct Link {
    const PassRecord *record = nullptr;
    std::atomic<Link *> next{nullptr};
  };
  void unpackInHandler() const;
  bool writeFor(const Pass &pass, const char *how);
  Slot *slotOf(uint64_t thread);

  std::string index, folder, script, packFile, unpackFlag, indexFolder;
  std::string compiler;                            ///< that unpacks snapshots; "": none was found
  std::atomic<const std::string *> first{nullptr}; ///< the last of `heads`
  std::deque<std::string> heads;                   ///< a handler may read an earlier one
  std::deque<Link> links = std::deque<Link>(1);    ///< the first has no record
  const SnapshotArchive *snapshots = nullptr;
  std::array<Slot, 64> slots; ///< threads beyond that many are not looked after
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CRASH_CRASHRECORD_H
