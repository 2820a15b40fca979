//===- RankLedger.h - exchanges of a rank, on file -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The latest exchanges of a rank, in a mapped file that other ranks read and that outlives the process.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_RANKLEDGER_H
#define MICA_LIB_RUNTIME_RANKS_RANKLEDGER_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace mica::runtime {

/// One exchange of a rank.
struct RankLedgerEntry {
  uint64_t sequence = 0; ///< among the exchanges of the rank
  uint64_t group = 0;    ///< hash of the members
  uint64_t turn = 0;     ///< among the exchanges of the rank with these members
  int32_t kernel = -1;   ///< position in the manifest
  int32_t site = -1;     ///< position in the manifest's sites
  int32_t partner = -1;  ///< the rank that a send or a receive is for; -1: the whole group takes part
  bool isDone = false;
  bool isQueued = false;          ///< a device has it to do, and has not come to it
  int64_t startNs = 0, endNs = 0; ///< steady clock of the rank's machine
};

/// What a file holds.
struct RankLedgerContents {
  enum class State : uint32_t { Running = 0, Finished = 1, Failed = 2 };
  int32_t rank = 0, size = 0, pid = 0;
  State state = State::Running;
  uint64_t count = 0;                   ///< exchanges so far
  std::vector<RankLedgerEntry> entries; ///< the latest, in order
};

/// Written by one thread at a time; costs a few stores an exchange.
class RankLedger {
public:
  static Result<std::unique_ptr<RankLedger>> create(const std::filesystem::path &file, int32_t rank, int32_t size);
  ~RankLedger();

  /// Gives the entry's `sequence`.
  uint64_t begin(const RankLedgerEntry &entry);
  /// The device has come to one that was queued.
  void start(uint64_t sequence);
  void end(uint64_t sequence);
  void setState(RankLedgerContents::State state);

  /// Damaged where the file is none. May be called while the rank writes.
  static Result<RankLedgerContents> read(const std::filesystem::path &file);

private:
  RankLedger(void *memory, size_t bytes) : memory(static_cast<char *>(memory)), bytes(bytes) {}
  char *memory;
  size_t bytes;
};

/// The name of a rank's file.
std::filesystem::path rankLedgerFile(const std::filesystem::path &folder, int32_t rank);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_RANKLEDGER_H
