//===- Ledger.h - the latest launches, in a file that outlives the process -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A mapped file with a record per launch, used in a ring: what was written to it is there however the process ends, for
// the system owns the pages. mica-run --post-mortem reads it, and the watchdog of hang-timeout.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_LEDGER_H
#define MICA_RUNTIME_LEDGER_H

#include "mica/Runtime/Observer.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// A launch as the ledger has it. Times are those of the steady clock.
struct LedgerEntry {
  enum class Stage : uint32_t { None, Handed, Running, Done };

  uint64_t id = 0;
  Stage stage = Stage::None;
  std::string kernel;
  int64_t site = -1;
  int64_t handedNs = 0, startNs = 0, endNs = 0;
  int32_t thread = 0; ///< the system's number of the one that began the latest share, or told the end
  int32_t status = 0;
};

/// A ledger as it was read.
struct LedgerContents {
  enum class End : uint32_t { Open, Closed, Hang, Crash };

  std::filesystem::path artifact;
  int32_t pid = 0;
  End end = End::Open;
  int32_t signal = 0;               ///< of End::Crash
  int64_t unixNs = 0;               ///< when it was made
  int64_t steadyNs = 0;             ///< the same moment
  int64_t lastNs = 0;               ///< the latest time in it
  std::vector<LedgerEntry> entries; ///< in the order of their ids
};

class Ledger : public Observer {
public:
  /// Makes `file`. Fails with Io.
  static Result<std::unique_ptr<Ledger>> create(const std::filesystem::path &file, const artifact::Manifest &manifest,
                                                const std::filesystem::path &artifact);

  /// Grows with every share that begins and every launch that completes.
  virtual uint64_t progress() const = 0;
  /// What is in it now. Any thread.
  virtual LedgerContents contents() const = 0;
  virtual const std::filesystem::path &file() const = 0;
  /// Notes that the process is about to end because nothing moves.
  virtual void markHang() = 0;

  /// Notes in every ledger of the process that signal `number` ends it. Async-signal-safe.
  static void markCrash(int number);
  /// The file of the ledger made last that is still open, "" if there is none. Async-signal-safe.
  static const char *latestFile();
};

/// Reads the bytes of what create() made. Fails with Damaged where they are something else, or truncated. `file` is
/// used in messages only.
Result<LedgerContents> parseLedger(std::string_view bytes, const std::filesystem::path &file);
Result<LedgerContents> readLedger(const std::filesystem::path &file);

} // namespace mica::runtime

#endif // MICA_RUNTIME_LEDGER_H
